import CTraceFormat

extension ProbeRecord {
    /// Reads a cell; nil when it is none that a probe wrote.
    @usableFromInline init?(cell bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Int(GP_CELL_SIZE), let kind = Kind(rawValue: bytes[0]) else { return nil }
        let head = bytes.loadUnaligned(as: UInt64.self)
        self.init(
            kind: kind, name: ProbeNameID(UInt32(head >> 8 & 0xff_ffff)),
            ticks: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self), length: UInt32(head >> 32))
    }
}

extension RecordFields {
    func probeName() -> TraceRecord? {
        fixed(gp_probe_name.self).map {
            .probe(.name(ProbeNameRecord(id: ProbeNameID($0.id), name: text(after: gp_probe_name.self))))
        }
    }

    func clock() -> TraceRecord? {
        guard let raw = fixed(gp_clock.self), let source = ClockRecord.Source(rawValue: header.flags) else {
            return nil
        }
        return .probe(.clock(ClockRecord(source: source, ticks: raw.ticks, time: raw.ns)))
    }

    func logLine() -> TraceRecord? {
        guard let raw = fixed(gp_log_line.self) else { return nil }
        let texts = bytes.dropFirst(MemoryLayout<gp_log_line>.size)
            .split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        return .probe(
            .log(
                LogRecord(
                    time: raw.time_ns, thread: ThreadID(raw.thread), file: texts.first ?? "", line: raw.line,
                    message: texts.count > 1 ? texts[1] : "")))
    }

    func mark() -> TraceRecord? {
        fixed(gp_mark_record.self).map {
            .probe(
                .mark(MarkRecord(time: $0.time_ns, generation: $0.generation, name: text(after: gp_mark_record.self))))
        }
    }

    func generation() -> TraceRecord? {
        fixed(gp_generation.self).map {
            .heap(
                .generation(
                    GenerationRecord(
                        generation: $0.generation, type: TypeID($0.type), stack: StackID($0.stack), count: $0.count,
                        bytes: $0.bytes)))
        }
    }

    func expectation() -> TraceRecord? {
        fixed(gp_expectation.self).map {
            .heap(
                .expectation(
                    ExpectationRecord(
                        isAlive: header.flags & 1 != 0, object: $0.object, time: $0.time_ns, type: TypeID($0.type),
                        stack: StackID($0.stack), listed: ObjectID($0.index), file: text(after: gp_expectation.self),
                        line: $0.line)))
        }
    }
}
