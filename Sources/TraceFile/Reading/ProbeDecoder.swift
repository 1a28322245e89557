import CTraceFormat

extension RecordDecoder {
    /// The record of one cell that a probe wrote; nil when it is none.
    static func probe(_ bytes: UnsafeRawBufferPointer) -> TraceRecord? {
        if let value = ProbeRecord.value(ofCell: bytes) { return .probeValue(value) }
        return ProbeRecord(cell: bytes).map { .probe($0) }
    }
}

extension ProbeRecord {
    /// Reads a cell; nil when it is none that a probe wrote. For those who read many.
    public init?(cell bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 16, let kind = Kind(rawValue: bytes[0]) else { return nil }
        let head = bytes.loadUnaligned(as: UInt64.self)
        self.init(
            kind: kind, name: ProbeNameID(UInt32(head >> 8 & 0xff_ffff)),
            ticks: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self), length: UInt32(head >> 32))
    }
}

extension ProbeRecord {
    /// The value of a counter, of the cell behind it; nil when it is none.
    public static func value(ofCell bytes: UnsafeRawBufferPointer) -> Double? {
        guard bytes.count >= 16, Int(bytes[0]) == GP_PROBE_VALUE else { return nil }
        return bytes.loadUnaligned(as: gp_probe_value.self).value
    }

    /// Whether a record of this kind is a cell of a probe.
    public static func isCell(kind: UInt8) -> Bool { (0x20...0x2f).contains(kind) }
}

extension RecordFields {
    func probeName() -> TraceRecord? {
        fixed(gp_probe_name.self).map {
            .probeName(ProbeNameRecord(id: ProbeNameID($0.id), name: text(after: gp_probe_name.self)))
        }
    }

    func clock() -> TraceRecord? {
        guard let raw = fixed(gp_clock.self), let source = ClockRecord.Source(rawValue: header.flags) else {
            return nil
        }
        return .clock(ClockRecord(source: source, ticks: raw.ticks, time: raw.ns))
    }

    func logLine() -> TraceRecord? {
        guard let raw = fixed(gp_log_line.self) else { return nil }
        let texts = bytes.dropFirst(MemoryLayout<gp_log_line>.size)
            .split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        return .log(
            LogRecord(
                time: raw.time_ns, thread: ThreadID(raw.thread), file: texts.first ?? "", line: raw.line,
                message: texts.count > 1 ? texts[1] : ""))
    }

    func mark() -> TraceRecord? {
        fixed(gp_mark_record.self).map {
            .mark(MarkRecord(time: $0.time_ns, generation: $0.generation, name: text(after: gp_mark_record.self)))
        }
    }

    func generation() -> TraceRecord? {
        fixed(gp_generation.self).map {
            .generation(
                GenerationRecord(
                    generation: $0.generation, type: TypeID($0.type), stack: StackID($0.stack), count: $0.count,
                    bytes: $0.bytes))
        }
    }

    func expectation() -> TraceRecord? {
        fixed(gp_expectation.self).map {
            .expectation(
                ExpectationRecord(
                    isAlive: header.flags & 1 != 0, object: $0.object, time: $0.time_ns, type: TypeID($0.type),
                    stack: StackID($0.stack), listed: ObjectID($0.index), file: text(after: gp_expectation.self),
                    line: $0.line))
        }
    }
}
