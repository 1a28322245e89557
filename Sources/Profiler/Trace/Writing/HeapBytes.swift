import CTraceFormat

/// The bytes of the records of a heap snapshot.
extension RecordBytes {
    /// A record that belongs to a snapshot.
    package static func heap(_ record: TraceRecord.Heap) -> [UInt8] {
        switch record {
        case .begin(let r):
            var raw = gp_heap_begin()
            raw.snapshot = r.snapshot.rawValue
            raw.threads = r.threads
            raw.threads_missed = r.threadsMissed
            raw.stack = r.stack.rawValue
            raw.exited_main_stack = r.leftStack.rawValue
            raw.time_ns = r.time
            raw.pause_ns = r.pause
            return join(GP_HEAP_BEGIN, raw, r.name, flags: r.trigger.rawValue)
        case .census(let r): return join(GP_HEAP_CENSUS, census(r))
        case .lost(let r): return join(GP_HEAP_LOST, census(r))
        case .pinned(let r): return join(GP_HEAP_PINNED, census(r))
        case .untouched(let r): return join(GP_HEAP_UNTOUCHED, census(r))
        case .unused(let r): return join(GP_HEAP_UNUSED, census(r))
        case .residentMap(let r):
            let flags =
                (r.isFile ? GP_RESIDENT_FILE : 0) | (r.isWritable ? GP_RESIDENT_WRITABLE : 0)
                | (r.isShared ? GP_RESIDENT_SHARED : 0)
            return join(
                GP_RESIDENT_MAP,
                gp_resident_map(
                    header: gp_record_header(), start: r.start, end: r.end, resident: r.resident, dirty: r.dirty),
                r.path, flags: UInt8(flags))
        case .residentRange(let r):
            return join(
                GP_RESIDENT_RANGE,
                gp_resident_range(
                    header: gp_record_header(), thread: r.thread.rawValue, stack: r.stack.rawValue, start: r.start,
                    end: r.end,
                    resident: r.resident, arena: r.arena, live: r.use.live, binned: r.use.binned,
                    trimmable: r.use.trimmable, top: r.use.top, cached: r.use.cached),
                flags: r.kind.rawValue | r.referrer.rawValue << 4)
        case .object(let r):
            return join(
                GP_HEAP_OBJECT,
                gp_heap_object(
                    header: gp_record_header(), index: r.id.rawValue, flags: r.flags.rawValue, address: r.address,
                    size: r.size, type: r.type.rawValue, stack: r.stack.rawValue, strong: r.strong, unowned: r.unowned,
                    weak: r.weak, component: r.component.rawValue))
        case .reference(let r):
            return join(
                GP_HEAP_EDGE,
                gp_heap_edge(
                    header: gp_record_header(), from: r.from.rawValue, to: r.to.rawValue, offset: r.offset,
                    position: r.position, function: r.function, ownership: r.ownership.rawValue,
                    label_kind: r.kind.rawValue, flags: r.flags.rawValue, declared_type: r.declaredType.rawValue),
                r.owner.isEmpty ? r.label : r.label + GP_OWNER_BEGIN + r.owner)
        case .nodes(let r): return graph(r)
        case .label(let r): return graph(r)
        case .root(let r): return root(r, GP_HEAP_ROOT)
        case .graphRoot(let r): return root(r, GP_HEAP_GRAPH_ROOT)
        case .target(let r):
            return join(
                GP_HEAP_TARGET,
                gp_heap_target(
                    header: gp_record_header(), object: r.object.rawValue, type: r.type.rawValue, count: r.count,
                    bytes: r.bytes), r.label, flags: r.cause.rawValue)
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
        case .image(let r):
            return join(
                GP_HEAP_IMAGE,
                gp_heap_image(
                    header: gp_record_header(), kind: r.kind, reserved: 0, first: r.first, second: r.second),
                bytes: r.bytes)
        case .tasks(let r):
            return join(
                GP_TASKS, gp_tasks(header: gp_record_header(), ended: UInt64(clamping: r.ended)),
                flags: r.isOmitted ? 1 : 0)
        case .task(let r): return task(r)
        case .end(let r):
            return join(
                GP_HEAP_END,
                gp_heap_end(
                    header: gp_record_header(), snapshot: r.snapshot.rawValue, reserved: 0, blocks: r.blocks,
                    bytes: r.bytes, swift_objects: r.swiftObjects, unreachable_blocks: r.unreachableBlocks,
                    unreachable_bytes: r.unreachableBytes, listed_objects: r.listedObjects, analysis_ns: r.analysis),
                r.reason,
                flags: UInt8((r.isCutShort ? GP_HEAP_CUT_SHORT : 0) | (r.hasUnread ? GP_HEAP_UNREAD : 0)))
        }
    }

    private static func root(_ r: HeapRoot, _ kind: Int) -> [UInt8] {
        var raw = gp_heap_root()
        raw.object = r.object.rawValue
        raw.root_kind = r.kind.rawValue
        raw.address = r.address
        raw.thread = r.thread.rawValue
        raw.pc = r.pc
        return join(kind, raw, r.label)
    }

    private static func census(_ r: HeapCensusRecord) -> gp_heap_census {
        var raw = gp_heap_census()
        raw.type = r.type.rawValue
        raw.stack = r.stack.rawValue
        raw.count = r.count
        raw.bytes = r.bytes
        return raw
    }

    /// Live blocks of one type and stack where the recording ended without a snapshot.
    package static func liveType(_ r: HeapCensusRecord) -> [UInt8] { join(GP_LIVE_TYPE, census(r)) }
}
