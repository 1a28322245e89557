import CTraceFormat
import GameprofTrace

extension RecordEncoder {
    static func encode(_ record: TraceRecord.File) -> [UInt8] {
        switch record {
        case .name(let r):
            return RecordBytes.join(
                GP_FILE_NAME, gp_file_name(header: gp_record_header(), id: r.id.rawValue, reserved: 0), r.name,
                flags: r.kind.rawValue)
        case .use(let r):
            return RecordBytes.join(
                GP_FILE_USE,
                gp_file_use(
                    header: gp_record_header(), file: r.file.rawValue, stack: r.stack.rawValue, calls: r.calls,
                    failures: r.failures, exhausted: r.exhausted, bytes: r.bytes, ns: r.nanoseconds,
                    longest_ns: r.longest, time_ns: r.time),
                flags: r.operation.rawValue)
        case .renamed(let from, let to, let count):
            return RecordBytes.join(
                GP_FILE_USE,
                gp_file_use(
                    header: gp_record_header(), file: to.rawValue, stack: from.rawValue, calls: count, failures: 0,
                    exhausted: 0, bytes: 0, ns: 0, longest_ns: 0, time_ns: 0),
                flags: UInt8(GP_FILE_RENAMED))
        case .open(let r):
            return RecordBytes.join(
                GP_FILE_OPEN,
                gp_open_file(
                    header: gp_record_header(), file: r.file.rawValue, stack: r.stack.rawValue,
                    descriptor: r.descriptor, holder: r.holder?.process ?? 0, opened_ns: r.opened, used_ns: r.used),
                r.holder?.name ?? "",
                flags: UInt8(
                    (r.hasPeerClosed ? GP_OPEN_PEER_CLOSED : 0)
                        | (r.holder?.reads == true ? GP_OPEN_HELD_FOR_READING : 0)
                        | (r.holder?.writes == true ? GP_OPEN_HELD_FOR_WRITING : 0)))
        }
    }
}
