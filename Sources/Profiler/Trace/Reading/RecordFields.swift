import CTraceFormat
import GameprofBasics

/// The parts of a record: a fixed structure and, where it has several cells, a text behind it.
struct RecordFields {
    let bytes: UnsafeRawBufferPointer
    /// Zeros in a record of one cell.
    let header: gp_record_header

    /// Nil when the record says that it is longer than its cells.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Int(GP_CELL_SIZE) else { return nil }
        guard bytes[0] >= RecordKind.firstWithHeader else {
            self.bytes = bytes
            header = gp_record_header()
            return
        }
        header = bytes.loadUnaligned(as: gp_record_header.self)
        guard Int(header.size) >= MemoryLayout<gp_record_header>.size, Int(header.size) <= bytes.count else {
            return nil
        }
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<Int(header.size)])
    }

    func fixed<T: BitwiseCopyable>(_ type: T.Type) -> T? {
        bytes.count >= MemoryLayout<T>.size ? bytes.loadUnaligned(as: type) : nil
    }

    /// Of a record that may lack fields added since: they are those of `zero`. `fewest`: bytes that it always had.
    func grown<T: BitwiseCopyable>(_ zero: T, fewest: Int) -> T? {
        guard bytes.count >= fewest else { return nil }
        var result = zero
        withUnsafeMutableBytes(of: &result) { $0.copyBytes(from: bytes.prefix($0.count)) }
        return result
    }

    func text<T>(after type: T.Type) -> String {
        String(decoding: bytes.dropFirst(MemoryLayout<T>.size).prefix { $0 != 0 }, as: UTF8.self)
    }

    func allocation() -> TraceRecord? {
        guard let raw = fixed(gp_alloc.self), let how = AllocationFunction(rawValue: raw.how) else { return nil }
        return .allocation(
            AllocationRecord(
                function: how, size: UInt64(raw.size_high) << 32 | UInt64(raw.size), stack: StackID(raw.stack),
                addressBits: raw.address))
    }

    func free() -> FreeRecord? {
        guard let raw = fixed(gp_free.self), let how = AllocationFunction(rawValue: raw.how) else { return nil }
        return FreeRecord(
            function: how, size: UInt64(raw.size_high) << 32 | UInt64(raw.size), stack: StackID(raw.stack),
            type: TypeID(raw.type))
    }

    func frame() -> TraceRecord? {
        fixed(gp_frame.self).map {
            .frame(
                FrameRecord(
                    id: FrameID($0.id), parent: FrameID($0.parent), pc: UInt64($0.pc_high) << 32 | UInt64($0.pc_low),
                    isExact: Int($0.flags) & GP_FRAME_EXACT != 0,
                    isTruncated: Int($0.flags) & GP_FRAME_TRUNCATED != 0))
        }
    }

    func type() -> TraceRecord? {
        fixed(gp_type.self).map {
            .type(
                TypeRecord(id: TypeID($0.id), metadata: UInt64($0.metadata_high) << 32 | UInt64($0.metadata_low)))
        }
    }

    func resident() -> TraceRecord? {
        fixed(gp_resident.self).map { .resident(ResidentRecord(time: $0.ns, bytes: UInt64($0.kib) << 10)) }
    }

    /// Names and values in turn, each ended by a NUL.
    func environment() -> TraceRecord? {
        let strings = bytes.dropFirst(MemoryLayout<gp_record_header>.size)
            .split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let facts = stride(from: 0, to: strings.count - 1, by: 2).compactMap { index in
            strings[index].isEmpty
                ? nil : EnvironmentRecord.Fact(name: strings[index], value: strings[index + 1])
        }
        return .environment(EnvironmentRecord(facts: facts))
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

    func threadStack() -> TraceRecord? {
        fixed(gp_thread_stack_record.self).map {
            .threadStack(ThreadStackRecord(thread: ThreadID($0.thread), stack: StackID($0.stack)))
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
                pid: UInt64(raw.pid), parent: raw.parent,
                instruments: Set(Instrument.allCases.filter { raw.instruments & $0.bit != 0 }),
                isLinked: raw.linked != 0, isLate: header.flags & 1 != 0,
                executable: whole.first ?? "", arguments: Array(whole.dropFirst())))
    }

    func crash() -> TraceRecord? {
        fixed(gp_crash.self).map {
            .crash(
                CrashRecord(
                    signal: Int32(truncatingIfNeeded: $0.signal), thread: ThreadID($0.thread), stack: StackID($0.stack),
                    address: $0.has_address != 0 ? $0.address : nil, isStackOverflow: header.flags & 1 != 0,
                    calls: $0.calls, time: $0.time_ns, message: text(after: gp_crash.self)))
        }
    }

    func programExit() -> TraceRecord? {
        fixed(gp_program_exit.self).map {
            .programExit(
                ProgramExitRecord(
                    status: header.flags & 1 != 0 ? .signal($0.status) : .code($0.status), wall: $0.wall_ns,
                    memoryKills: $0.memory_kills))
        }
    }

    func remark() -> RemarkRecord? {
        fixed(gp_loss.self).map { RemarkRecord(events: $0.events, sentence: text(after: gp_loss.self)) }
    }

    func heapBegin() -> TraceRecord? {
        guard let raw = fixed(gp_heap_begin.self), let trigger = HeapBeginRecord.Trigger(rawValue: header.flags) else {
            return nil
        }
        return .heap(
            .begin(
                HeapBeginRecord(
                    trigger: trigger, snapshot: SnapshotID(raw.snapshot), threads: raw.threads,
                    threadsMissed: raw.threads_missed, stack: StackID(raw.stack),
                    leftStack: StackID(raw.exited_main_stack), time: raw.time_ns, pause: raw.pause_ns,
                    name: text(after: gp_heap_begin.self))))
    }

    func heapCensus() -> HeapCensusRecord? {
        fixed(gp_heap_census.self).map {
            HeapCensusRecord(type: TypeID($0.type), stack: StackID($0.stack), count: $0.count, bytes: $0.bytes)
        }
    }

    /// Nil when more is resident than there is.
    func residentMap() -> TraceRecord? {
        guard let raw = fixed(gp_resident_map.self), raw.start < raw.end, raw.resident <= raw.end - raw.start,
            raw.dirty <= raw.resident
        else { return nil }
        func has(_ flag: Int) -> Bool { Int(header.flags) & flag != 0 }
        return .heap(
            .residentMap(
                ResidentMapRecord(
                    start: raw.start, end: raw.end, resident: raw.resident, dirty: raw.dirty,
                    isFile: has(GP_RESIDENT_FILE), isWritable: has(GP_RESIDENT_WRITABLE),
                    isShared: has(GP_RESIDENT_SHARED), path: text(after: gp_resident_map.self))))
    }

    /// Nil when its parts are more than the whole.
    func residentRange() -> TraceRecord? {
        guard let raw = fixed(gp_resident_range.self),
            let kind = ResidentRangeRecord.Kind(rawValue: header.flags & UInt8(GP_RANGE_KINDS)),
            let referrer = ResidentRangeRecord.Referrer(rawValue: header.flags >> 4), raw.start < raw.end,
            raw.resident <= raw.end - raw.start, raw.trimmable <= raw.binned,
            [raw.live, raw.binned, raw.top, raw.cached].clampedSum <= raw.resident
        else { return nil }
        var range = ResidentRangeRecord(
            kind: kind, thread: ThreadID(raw.thread), stack: StackID(raw.stack), start: raw.start, end: raw.end,
            resident: raw.resident, arena: raw.arena,
            use: HeapUse(
                live: raw.live, binned: raw.binned, trimmable: raw.trimmable, top: raw.top, cached: raw.cached))
        range.referrer = referrer
        return .heap(.residentRange(range))
    }

    func heapObject() -> TraceRecord? {
        fixed(gp_heap_object.self).map {
            .heap(
                .object(
                    HeapObject(
                        id: ObjectID($0.index), flags: .init(rawValue: $0.flags), address: $0.address, size: $0.size,
                        type: TypeID($0.type), stack: StackID($0.stack), strong: $0.strong, unowned: $0.unowned,
                        weak: $0.weak, component: ComponentID($0.component))))
        }
    }

    func heapReference() -> TraceRecord? {
        guard let raw = fixed(gp_heap_edge.self), let ownership = Ownership(rawValue: raw.ownership),
            let kind = HeapReference.Kind(rawValue: raw.label_kind)
        else { return nil }
        let text = text(after: gp_heap_edge.self)[...]
        let owner = text.unicodeScalars.lastIndex { String($0) == GP_OWNER_BEGIN }
        return .heap(
            .reference(
                HeapReference(
                    from: ObjectID(raw.from), to: ObjectID(raw.to), kind: kind, ownership: ownership,
                    label: String(text[..<(owner ?? text.endIndex)]), offset: raw.offset, position: raw.position,
                    function: raw.function, flags: HeapReference.Flags(rawValue: raw.flags),
                    declaredType: TypeID(raw.declared_type),
                    owner: owner.map { String(text.unicodeScalars[$0...].dropFirst()) } ?? "")))
    }

    func heapImage() -> TraceRecord? {
        fixed(gp_heap_image.self).map {
            .heap(
                .image(
                    HeapImageRecord(
                        kind: $0.kind, first: $0.first, second: $0.second,
                        bytes: Array(bytes.dropFirst(MemoryLayout<gp_heap_image>.size)))))
        }
    }

    func heapRoot() -> HeapRoot? {
        guard let raw = fixed(gp_heap_root.self), let kind = HeapRoot.Kind(rawValue: raw.root_kind) else { return nil }
        return HeapRoot(
            object: ObjectID(raw.object), kind: kind, address: raw.address, thread: ThreadID(raw.thread), pc: raw.pc,
            label: text(after: gp_heap_root.self))
    }

    func heapTarget() -> TraceRecord? {
        guard let raw = fixed(gp_heap_target.self), let cause = HeapTarget.Cause(rawValue: header.flags) else {
            return nil
        }
        return .heap(
            .target(
                HeapTarget(
                    cause: cause, object: ObjectID(raw.object), type: TypeID(raw.type), count: raw.count,
                    bytes: raw.bytes,
                    label: text(after: gp_heap_target.self))))
    }

    func heapEnd() -> TraceRecord? {
        guard let raw = fixed(gp_heap_end.self) else { return nil }
        let flags = UInt32(header.flags)
        var end = HeapEndRecord(
            snapshot: SnapshotID(raw.snapshot), isCutShort: flags & UInt32(GP_HEAP_CUT_SHORT) != 0, blocks: raw.blocks,
            bytes: raw.bytes, swiftObjects: raw.swift_objects, unreachableBlocks: raw.unreachable_blocks,
            unreachableBytes: raw.unreachable_bytes, listedObjects: raw.listed_objects, analysis: raw.analysis_ns,
            reason: text(after: gp_heap_end.self))
        end.hasUnread = flags & UInt32(GP_HEAP_UNREAD) != 0
        return .heap(.end(end))
    }
}
