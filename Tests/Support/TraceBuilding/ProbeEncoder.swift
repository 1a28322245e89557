import CTraceFormat
import GameprofTrace

extension RecordEncoder {
    static func encode(_ record: TraceRecord.Probe) -> [UInt8] {
        switch record {
        case .event(let r):
            let name = UInt64(r.name.rawValue & 0xff_ffff) << 8
            return RecordBytes.cell((UInt64(r.length) << 32 | name | UInt64(r.kind.rawValue), r.ticks))
        case .value(let value):
            return RecordBytes.cell((UInt64(GP_PROBE_VALUE), value.bitPattern))
        case .name(let r):
            return RecordBytes.join(
                GP_PROBE_NAME, gp_probe_name(header: gp_record_header(), id: r.id.rawValue, reserved: 0), r.name)
        case .clock(let r):
            return RecordBytes.join(
                GP_CLOCK, gp_clock(header: gp_record_header(), ticks: r.ticks, ns: r.time), flags: r.source.rawValue)
        case .log(let r):
            return RecordBytes.join(
                GP_LOG,
                gp_log_line(header: gp_record_header(), time_ns: r.time, thread: r.thread.rawValue, line: r.line),
                r.file + "\0" + r.message)
        case .mark(let r):
            return RecordBytes.join(
                GP_MARK,
                gp_mark_record(header: gp_record_header(), time_ns: r.time, generation: r.generation, reserved: 0),
                r.name)
        }
    }
}
