import CTraceFormat

/// Turns a record into the bytes of a trace: what `RecordDecoder` reads.
public enum RecordEncoder {
    /// The record's cells. A text that does not fit into a chunk is shortened at its end.
    public static func encode(_ record: TraceRecord) -> [UInt8] {
        switch record {
        case .allocation(let r):
            return cell(
                gp_alloc(
                    kind: UInt8(GP_ALLOC), how: r.function.rawValue,
                    size_high: UInt16(truncatingIfNeeded: r.size >> 32),
                    size: UInt32(truncatingIfNeeded: r.size), stack: r.stack.rawValue, address: r.addressBits))
        case .free(let r): return free(GP_FREE, r)
        case .temporary(let r): return free(GP_TEMPORARY, r)
        case .repetition(let count):
            var raw = gp_repeat()
            raw.kind = UInt8(GP_REPEAT)
            raw.count = count
            return cell(raw)
        case .time(let time):
            var raw = gp_time()
            raw.kind = UInt8(GP_TIME)
            raw.ns = time
            return cell(raw)
        case .thread(let thread): return mark(GP_THREAD, thread)
        case .threadEnd(let thread): return mark(GP_THREAD_END, thread)
        case .frame(let r):
            let flags = (r.isExact ? GP_FRAME_EXACT : 0) | (r.isTruncated ? GP_FRAME_TRUNCATED : 0)
            return cell(
                gp_frame(
                    kind: UInt8(GP_FRAME), flags: UInt8(flags), pc_high: UInt16(truncatingIfNeeded: r.pc >> 32),
                    pc_low: UInt32(truncatingIfNeeded: r.pc), id: r.id.rawValue, parent: r.parent.rawValue))
        case .type(let r):
            return cell(
                gp_type(
                    kind: UInt8(GP_TYPE), reserved: 0, metadata_high: UInt16(truncatingIfNeeded: r.metadata >> 32),
                    metadata_low: UInt32(truncatingIfNeeded: r.metadata), id: r.id.rawValue, reserved2: 0))
        case .sample(let r): return cell(sample(r))
        case .sampling, .threadTime, .work: return time(record)
        case .unknown(let kind, let size):
            let cells = max(1, (size + 15) / 16)
            let header = gp_record_header(kind: kind, flags: 0, cells: UInt16(cells), size: UInt32(cells * 16))
            return cell(header) + [UInt8](repeating: 0, count: cells * 16 - MemoryLayout<gp_record_header>.size)
        default: return long(record)
        }
    }

    private static func long(_ record: TraceRecord) -> [UInt8] {
        switch record {
        case .image(let r):
            var raw = gp_image()
            raw.bias = r.bias
            raw.start = r.start
            raw.end = r.end
            raw.text_start = r.textStart
            raw.text_end = r.textEnd
            raw.build_id_size = UInt8(min(r.buildID.count, 31))
            withUnsafeMutableBytes(of: &raw.build_id) { $0.copyBytes(from: r.buildID.prefix(31)) }
            return join(r.isLoaded ? GP_IMAGE : GP_IMAGE_GONE, raw, r.path)
        case .typeName(let r):
            var raw = gp_type_name()
            raw.metadata = r.metadata
            raw.descriptor = r.descriptor
            raw.destroy = r.destroy
            return join(GP_TYPE_NAME, raw, r.name, flags: r.kind.rawValue)
        case .threadName(let r):
            var raw = gp_thread_name()
            raw.thread = r.thread.rawValue
            return join(GP_THREAD_NAME, raw, r.name)
        case .program(let r):
            var raw = gp_program()
            raw.pid = r.pid
            raw.instruments = r.instruments.rawValue
            raw.linked = r.isLinked ? 1 : 0
            return join(GP_PROGRAM, raw, ([r.executable] + r.arguments).map { $0 + "\0" }.joined())
        case .programExit(let r):
            var raw = gp_program_exit()
            raw.wall_ns = r.wall
            switch r.status {
            case .code(let code):
                raw.status = code
                return join(GP_PROGRAM_EXIT, raw)
            case .signal(let signal):
                raw.status = signal
                return join(GP_PROGRAM_EXIT, raw, flags: 1)
            }
        case .loss(let r): return remark(GP_LOSS, r)
        case .note(let r): return remark(GP_NOTE, r)
        default: return heap(record)
        }
    }

    private static func heap(_ record: TraceRecord) -> [UInt8] {
        switch record {
        case .heapBegin(let r):
            var raw = gp_heap_begin()
            raw.snapshot = r.snapshot.rawValue
            raw.threads = r.threads
            raw.threads_missed = r.threadsMissed
            raw.stack = r.stack.rawValue
            raw.left_stack = r.leftStack.rawValue
            raw.time_ns = r.time
            raw.pause_ns = r.pause
            return join(GP_HEAP_BEGIN, raw, r.name, flags: r.trigger.rawValue)
        case .heapCensus(let r): return join(GP_HEAP_CENSUS, census(r))
        case .heapLost(let r): return join(GP_HEAP_LOST, census(r))
        case .heapObject(let r):
            return join(
                GP_HEAP_OBJECT,
                gp_heap_object(
                    header: gp_record_header(), index: r.id.rawValue, flags: r.flags.rawValue, address: r.address,
                    size: r.size, type: r.type.rawValue, stack: r.stack.rawValue, strong: r.strong, unowned: r.unowned,
                    weak: r.weak, component: r.component.rawValue))
        case .heapReference(let r):
            return join(
                GP_HEAP_EDGE,
                gp_heap_edge(
                    header: gp_record_header(), from: r.from.rawValue, to: r.to.rawValue, offset: r.offset,
                    position: r.position, function: r.function, ownership: r.ownership.rawValue,
                    label_kind: r.kind.rawValue, flags: r.flags.rawValue, declared_type: r.declaredType.rawValue),
                r.label)
        case .heapRoot(let r):
            var raw = gp_heap_root()
            raw.object = r.object.rawValue
            raw.root_kind = r.kind.rawValue
            raw.address = r.address
            raw.thread = r.thread.rawValue
            raw.pc = r.pc
            return join(GP_HEAP_ROOT, raw, r.label)
        case .heapTarget(let r):
            return join(
                GP_HEAP_TARGET,
                gp_heap_target(
                    header: gp_record_header(), object: r.object.rawValue, type: r.type.rawValue, count: r.count,
                    bytes: r.bytes), r.label, flags: r.cause.rawValue)
        case .heapEnd(let r):
            return join(
                GP_HEAP_END,
                gp_heap_end(
                    header: gp_record_header(), snapshot: r.snapshot.rawValue, reserved: 0, blocks: r.blocks,
                    bytes: r.bytes, swift_objects: r.swiftObjects, unreachable_blocks: r.unreachableBlocks,
                    unreachable_bytes: r.unreachableBytes, listed_objects: r.listedObjects, analysis_ns: r.analysis),
                r.reason, flags: r.isCutShort ? 1 : 0)
        default: return probes(record) ?? zombies(record)
        }
    }

    private static func census(_ r: HeapCensusRecord) -> gp_heap_census {
        var raw = gp_heap_census()
        raw.type = r.type.rawValue
        raw.stack = r.stack.rawValue
        raw.count = r.count
        raw.bytes = r.bytes
        return raw
    }

    private static func free(_ kind: Int, _ r: FreeRecord) -> [UInt8] {
        cell(
            gp_free(
                kind: UInt8(kind), how: r.function.rawValue, size_high: UInt16(truncatingIfNeeded: r.size >> 32),
                size: UInt32(truncatingIfNeeded: r.size), stack: r.stack.rawValue, type: r.type.rawValue))
    }

    private static func mark(_ kind: Int, _ thread: ThreadID) -> [UInt8] {
        var raw = gp_thread_mark()
        raw.kind = UInt8(kind)
        raw.thread = thread.rawValue
        return cell(raw)
    }

    private static func remark(_ kind: Int, _ r: RemarkRecord) -> [UInt8] {
        var raw = gp_loss()
        raw.events = r.events
        return join(kind, raw, r.sentence)
    }

    static func cell<T: BitwiseCopyable>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    /// A record of several cells: `fixed` begins with its header, which is filled in here.
    static func join<T: BitwiseCopyable>(
        _ kind: Int, _ fixed: T, _ text: String = "", flags: UInt8 = 0
    ) -> [UInt8] {
        let room = Int(GP_CHUNK_SIZE) - MemoryLayout<gp_chunk_header>.size - MemoryLayout<T>.size
        var bytes = cell(fixed) + text.utf8.prefix(room)
        let size = bytes.count
        let cells = (size + 15) / 16
        bytes.append(contentsOf: repeatElement(0, count: cells * 16 - size))
        let header = gp_record_header(kind: UInt8(kind), flags: flags, cells: UInt16(cells), size: UInt32(size))
        bytes.replaceSubrange(0..<MemoryLayout<gp_record_header>.size, with: cell(header))
        return bytes
    }
}
