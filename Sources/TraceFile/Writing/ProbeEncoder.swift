import CTraceFormat

extension RecordEncoder {
    /// The cells of what a program says of itself; nil when the record is none of those.
    static func probes(_ record: TraceRecord) -> [UInt8]? {
        switch record {
        case .probe(let r):
            let name = UInt64(r.name.rawValue & 0xff_ffff) << 8
            return cell((UInt64(r.length) << 32 | name | UInt64(r.kind.rawValue), r.ticks))
        case .probeValue(let value):
            return cell((UInt64(GP_PROBE_VALUE), value.bitPattern))
        case .probeName(let r):
            return join(
                GP_PROBE_NAME, gp_probe_name(header: gp_record_header(), id: r.id.rawValue, reserved: 0), r.name)
        case .clock(let r):
            return join(
                GP_CLOCK, gp_clock(header: gp_record_header(), ticks: r.ticks, ns: r.time), flags: r.source.rawValue)
        case .log(let r):
            return join(
                GP_LOG,
                gp_log_line(header: gp_record_header(), time_ns: r.time, thread: r.thread.rawValue, line: r.line),
                r.file + "\0" + r.message)
        case .mark(let r):
            return join(
                GP_MARK,
                gp_mark_record(header: gp_record_header(), time_ns: r.time, generation: r.generation, reserved: 0),
                r.name)
        case .generation(let r):
            return join(
                GP_GENERATION,
                gp_generation(
                    header: gp_record_header(), generation: r.generation, type: r.type.rawValue,
                    stack: r.stack.rawValue, reserved: 0, count: r.count, bytes: r.bytes))
        case .expectation(let r):
            return join(
                GP_EXPECTATION,
                gp_expectation(
                    header: gp_record_header(), object: r.object, time_ns: r.time, type: r.type.rawValue,
                    stack: r.stack.rawValue, index: r.listed.rawValue, line: r.line), r.file,
                flags: r.isAlive ? 1 : 0)
        default: return nil
        }
    }
}
