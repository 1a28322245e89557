import CTraceFormat

/// Turns the bytes of one record into its value.
enum RecordDecoder {
    /// The record in `bytes` (as many as its cells); nil when its contents make no sense.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> TraceRecord? {
        guard let first = bytes.first, bytes.count >= 16 else { return nil }
        return first < 0x80 ? decodeCell(bytes, kind: first) : decodeLong(bytes, kind: first)
    }

    private static func decodeCell(_ bytes: UnsafeRawBufferPointer, kind: UInt8) -> TraceRecord? {
        switch Int(kind) {
        case GP_ALLOC:
            let raw = bytes.loadUnaligned(as: gp_alloc.self)
            guard let how = AllocationFunction(rawValue: raw.how) else { return nil }
            return .allocation(
                AllocationRecord(
                    function: how, size: UInt64(raw.size_high) << 32 | UInt64(raw.size), stack: StackID(raw.stack),
                    addressBits: raw.address))
        case GP_FREE, GP_TEMPORARY:
            let raw = bytes.loadUnaligned(as: gp_free.self)
            guard let how = AllocationFunction(rawValue: raw.how) else { return nil }
            let record = FreeRecord(
                function: how, size: UInt64(raw.size_high) << 32 | UInt64(raw.size), stack: StackID(raw.stack),
                type: TypeID(raw.type))
            return Int(kind) == GP_FREE ? .free(record) : .temporary(record)
        case GP_REPEAT:
            return .repetition(bytes.loadUnaligned(as: gp_repeat.self).count)
        case GP_TIME:
            return .time(bytes.loadUnaligned(as: gp_time.self).ns)
        case GP_THREAD:
            return .thread(ThreadID(bytes.loadUnaligned(as: gp_thread_mark.self).thread))
        case GP_THREAD_END:
            return .threadEnd(ThreadID(bytes.loadUnaligned(as: gp_thread_mark.self).thread))
        case GP_FRAME:
            let raw = bytes.loadUnaligned(as: gp_frame.self)
            return .frame(
                FrameRecord(
                    id: FrameID(raw.id), parent: FrameID(raw.parent),
                    pc: UInt64(raw.pc_high) << 32 | UInt64(raw.pc_low),
                    isExact: Int(raw.flags) & GP_FRAME_EXACT != 0,
                    isTruncated: Int(raw.flags) & GP_FRAME_TRUNCATED != 0))
        case GP_TYPE:
            let raw = bytes.loadUnaligned(as: gp_type.self)
            return .type(
                TypeRecord(
                    id: TypeID(raw.id), metadata: UInt64(raw.metadata_high) << 32 | UInt64(raw.metadata_low)))
        case GP_SAMPLE, GP_WAIT:
            return .sample(SampleRecord(cell: bytes))
        default:
            return probe(bytes) ?? .unknown(kind: kind, size: 16)
        }
    }

    private static func decodeLong(_ bytes: UnsafeRawBufferPointer, kind: UInt8) -> TraceRecord? {
        let header = bytes.loadUnaligned(as: gp_record_header.self)
        guard let reader = RecordFields(bytes, header) else { return nil }
        switch Int(kind) {
        case GP_IMAGE, GP_IMAGE_GONE: return reader.image(isLoaded: Int(kind) == GP_IMAGE)
        case GP_TYPE_NAME: return reader.typeName()
        case GP_THREAD_NAME: return reader.threadName()
        case GP_PROGRAM: return reader.program()
        case GP_PROGRAM_EXIT: return reader.programExit()
        case GP_LOSS: return reader.remark().map { .loss($0) }
        case GP_NOTE: return reader.remark().map { .note($0) }
        case GP_HEAP_BEGIN: return reader.heapBegin()
        case GP_HEAP_CENSUS: return reader.heapCensus().map { .heapCensus($0) }
        case GP_HEAP_LOST: return reader.heapCensus().map { .heapLost($0) }
        case GP_HEAP_OBJECT: return reader.heapObject()
        case GP_HEAP_EDGE: return reader.heapReference()
        case GP_HEAP_ROOT: return reader.heapRoot()
        case GP_HEAP_TARGET: return reader.heapTarget()
        case GP_HEAP_END: return reader.heapEnd()
        case GP_ZOMBIE: return reader.zombie()
        case GP_ZOMBIE_SUMMARY: return reader.zombieSummary()
        case GP_COUNT_CHANGE: return reader.countChange()
        case GP_SAMPLING: return reader.sampling()
        case GP_THREAD_TIME: return reader.threadTime()
        case GP_WORK: return reader.work()
        case GP_PROBE_NAME: return reader.probeName()
        case GP_CLOCK: return reader.clock()
        case GP_LOG: return reader.logLine()
        case GP_MARK: return reader.mark()
        case GP_GENERATION: return reader.generation()
        case GP_EXPECTATION: return reader.expectation()
        default: return .unknown(kind: kind, size: bytes.count)
        }
    }
}

/// The parts of a record of several cells: a fixed structure and a text behind it.
struct RecordFields {
    let bytes: UnsafeRawBufferPointer
    let header: gp_record_header

    /// Nil when the record says that it is longer than its cells.
    init?(_ bytes: UnsafeRawBufferPointer, _ header: gp_record_header) {
        guard Int(header.size) >= MemoryLayout<gp_record_header>.size, Int(header.size) <= bytes.count else {
            return nil
        }
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<Int(header.size)])
        self.header = header
    }

    func fixed<T: BitwiseCopyable>(_ type: T.Type) -> T? {
        bytes.count >= MemoryLayout<T>.size ? bytes.loadUnaligned(as: type) : nil
    }

    func text<T>(after type: T.Type) -> String {
        String(decoding: bytes.dropFirst(MemoryLayout<T>.size).prefix { $0 != 0 }, as: UTF8.self)
    }

    func image(isLoaded: Bool) -> TraceRecord? {
        guard let raw = fixed(gp_image.self) else { return nil }
        let buildID = withUnsafeBytes(of: raw.build_id) { Array($0.prefix(Int(raw.build_id_size))) }
        return .image(
            ImageRecord(
                path: text(after: gp_image.self), bias: raw.bias, start: raw.start, end: raw.end,
                textStart: raw.text_start, textEnd: raw.text_end, buildID: buildID, isLoaded: isLoaded))
    }

    func typeName() -> TraceRecord? {
        guard let raw = fixed(gp_type_name.self), let kind = TypeNameRecord.Kind(rawValue: header.flags) else {
            return nil
        }
        return .typeName(
            TypeNameRecord(
                kind: kind, metadata: raw.metadata, descriptor: raw.descriptor, destroy: raw.destroy,
                name: text(after: gp_type_name.self)))
    }

    func threadName() -> TraceRecord? {
        fixed(gp_thread_name.self).map {
            .threadName(ThreadNameRecord(thread: ThreadID($0.thread), name: text(after: gp_thread_name.self)))
        }
    }

    func program() -> TraceRecord? {
        guard let raw = fixed(gp_program.self) else { return nil }
        let strings = bytes.dropFirst(MemoryLayout<gp_program>.size)
            .split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let endsWithNul = bytes.count > MemoryLayout<gp_program>.size && bytes.last == 0
        let whole = endsWithNul ? strings.dropLast() : strings[...]
        return .program(
            ProgramRecord(
                pid: raw.pid, instruments: Instruments(rawValue: raw.instruments), isLinked: raw.linked != 0,
                executable: whole.first ?? "", arguments: Array(whole.dropFirst())))
    }

    func programExit() -> TraceRecord? {
        fixed(gp_program_exit.self).map {
            .programExit(
                ProgramExitRecord(
                    status: header.flags & 1 != 0 ? .signal($0.status) : .code($0.status), wall: $0.wall_ns))
        }
    }

    func remark() -> RemarkRecord? {
        fixed(gp_loss.self).map { RemarkRecord(events: $0.events, sentence: text(after: gp_loss.self)) }
    }

    func heapBegin() -> TraceRecord? {
        guard let raw = fixed(gp_heap_begin.self), let trigger = HeapBeginRecord.Trigger(rawValue: header.flags) else {
            return nil
        }
        return .heapBegin(
            HeapBeginRecord(
                trigger: trigger, snapshot: SnapshotID(raw.snapshot), threads: raw.threads,
                threadsMissed: raw.threads_missed, stack: StackID(raw.stack),
                leftStack: StackID(raw.left_stack), time: raw.time_ns, pause: raw.pause_ns,
                name: text(after: gp_heap_begin.self)))
    }

    func heapCensus() -> HeapCensusRecord? {
        fixed(gp_heap_census.self).map {
            HeapCensusRecord(type: TypeID($0.type), stack: StackID($0.stack), count: $0.count, bytes: $0.bytes)
        }
    }

    func heapObject() -> TraceRecord? {
        fixed(gp_heap_object.self).map {
            .heapObject(
                HeapObject(
                    id: ObjectID($0.index), flags: .init(rawValue: $0.flags), address: $0.address, size: $0.size,
                    type: TypeID($0.type), stack: StackID($0.stack), strong: $0.strong, unowned: $0.unowned,
                    weak: $0.weak, component: ComponentID($0.component)))
        }
    }

    func heapReference() -> TraceRecord? {
        guard let raw = fixed(gp_heap_edge.self), let ownership = Ownership(rawValue: raw.ownership),
            let kind = HeapReference.Kind(rawValue: raw.label_kind)
        else { return nil }
        return .heapReference(
            HeapReference(
                from: ObjectID(raw.from), to: ObjectID(raw.to), kind: kind, ownership: ownership,
                label: text(after: gp_heap_edge.self), offset: raw.offset, position: raw.position,
                function: raw.function, flags: HeapReference.Flags(rawValue: raw.flags),
                declaredType: TypeID(raw.declared_type)))
    }

    func heapRoot() -> TraceRecord? {
        guard let raw = fixed(gp_heap_root.self), let kind = HeapRoot.Kind(rawValue: raw.root_kind) else { return nil }
        return .heapRoot(
            HeapRoot(
                object: ObjectID(raw.object), kind: kind, address: raw.address, thread: ThreadID(raw.thread),
                pc: raw.pc, label: text(after: gp_heap_root.self)))
    }

    func heapTarget() -> TraceRecord? {
        guard let raw = fixed(gp_heap_target.self), let cause = HeapTarget.Cause(rawValue: header.flags) else {
            return nil
        }
        return .heapTarget(
            HeapTarget(
                cause: cause, object: ObjectID(raw.object), type: TypeID(raw.type), count: raw.count, bytes: raw.bytes,
                label: text(after: gp_heap_target.self)))
    }

    func heapEnd() -> TraceRecord? {
        fixed(gp_heap_end.self).map {
            .heapEnd(
                HeapEndRecord(
                    snapshot: SnapshotID($0.snapshot), isCutShort: header.flags & 1 != 0, blocks: $0.blocks,
                    bytes: $0.bytes, swiftObjects: $0.swift_objects, unreachableBlocks: $0.unreachable_blocks,
                    unreachableBytes: $0.unreachable_bytes, listedObjects: $0.listed_objects,
                    analysis: $0.analysis_ns, reason: text(after: gp_heap_end.self)))
        }
    }
}
