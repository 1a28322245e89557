import CTraceFormat
import GameprofTrace

/// Turns any record into the bytes of a trace.
public enum RecordEncoder {
    /// The record's cells. A text that does not fit into a chunk is shortened at its end.
    public static func encode(_ record: TraceRecord) -> [UInt8] {
        switch record {
        case .allocation(let r):
            return RecordBytes.cell(
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
            return RecordBytes.cell(raw)
        case .time(let time):
            var raw = gp_time()
            raw.kind = UInt8(GP_TIME)
            raw.ns = time
            return RecordBytes.cell(raw)
        case .thread(let thread): return mark(GP_THREAD, thread)
        case .threadEnd(let thread): return mark(GP_THREAD_END, thread)
        case .frame(let r):
            let flags = (r.isExact ? GP_FRAME_EXACT : 0) | (r.isTruncated ? GP_FRAME_TRUNCATED : 0)
            return RecordBytes.cell(
                gp_frame(
                    kind: UInt8(GP_FRAME), flags: UInt8(flags), pc_high: UInt16(truncatingIfNeeded: r.pc >> 32),
                    pc_low: UInt32(truncatingIfNeeded: r.pc), id: r.id.rawValue, parent: r.parent.rawValue))
        case .type(let r):
            return RecordBytes.cell(
                gp_type(
                    kind: UInt8(GP_TYPE), reserved: 0, metadata_high: UInt16(truncatingIfNeeded: r.metadata >> 32),
                    metadata_low: UInt32(truncatingIfNeeded: r.metadata), id: r.id.rawValue, reserved2: 0))
        case .resident(let r):
            return RecordBytes.cell(
                gp_resident(
                    kind: UInt8(GP_RESIDENT), reserved: (0, 0, 0), kib: UInt32(clamping: r.bytes >> 10), ns: r.time))
        case .environment(let r):
            let text = r.facts.map { "\($0.name)\0\($0.value)\0" }.joined()
            return RecordBytes.join(GP_ENVIRONMENT, gp_record_header(), text)
        case .image(let r):
            var raw = gp_image()
            raw.bias = r.bias
            raw.start = r.start
            raw.end = r.end
            raw.text_start = r.textStart
            raw.text_end = r.textEnd
            raw.build_id_size = UInt8(min(r.buildID.count, 31))
            withUnsafeMutableBytes(of: &raw.build_id) { $0.copyBytes(from: r.buildID.prefix(31)) }
            return RecordBytes.join(r.isLoaded ? GP_IMAGE : GP_IMAGE_GONE, raw, r.path)
        case .typeName(let r):
            var raw = gp_type_name()
            raw.metadata = r.metadata
            raw.descriptor = r.descriptor
            raw.destroy = r.destroy
            return RecordBytes.join(GP_TYPE_NAME, raw, r.name, flags: r.kind.rawValue)
        case .threadName(let r):
            var raw = gp_thread_name()
            raw.thread = r.thread.rawValue
            return RecordBytes.join(GP_THREAD_NAME, raw, r.name)
        case .program(let r):
            var raw = gp_program()
            raw.pid = r.pid
            raw.instruments = r.instruments.reduce(0) { $0 | $1.bit }
            raw.linked = r.isLinked ? 1 : 0
            return RecordBytes.join(GP_PROGRAM, raw, ([r.executable] + r.arguments).map { $0 + "\0" }.joined())
        case .programExit(let r): return RecordBytes.programExit(r)
        case .crash(let r):
            return RecordBytes.join(
                GP_CRASH,
                gp_crash(
                    header: gp_record_header(), signal: UInt32(bitPattern: r.signal), thread: r.thread.rawValue,
                    stack: r.stack.rawValue, has_address: r.address == nil ? 0 : 1, address: r.address ?? 0,
                    time_ns: r.time, calls: r.calls), r.message)
        case .loss(let r): return RecordBytes.loss(r)
        case .note(let r): return RecordBytes.remark(GP_NOTE, r)
        case .symbol(let record): return RecordBytes.symbol(record)
        case .unknown(let kind, let size):
            let cells = max(1, (size + 15) / 16)
            let header = gp_record_header(kind: kind, flags: 0, cells: UInt16(cells), size: UInt32(cells * 16))
            return RecordBytes.cell(header)
                + [UInt8](repeating: 0, count: cells * 16 - MemoryLayout<gp_record_header>.size)
        case .heap(let record): return RecordBytes.heap(record)
        case .liveType(let r): return RecordBytes.liveType(r)
        case .failedAllocation(let r):
            return RecordBytes.join(
                GP_FAILED_ALLOC,
                gp_failed_alloc(
                    header: gp_record_header(), time_ns: r.time, number: r.number, size: r.size,
                    stack: r.stack.rawValue, reserved: 0), "", flags: r.hasFailed ? 1 : 0)
        case .file(let record): return encode(record)
        case .listedObject(let r):
            return RecordBytes.join(
                GP_LISTED_OBJECT,
                gp_listed_object(
                    header: gp_record_header(), address: r.address, size: r.size, type: r.type.rawValue,
                    stack: r.stack.rawValue, born_ns: r.born, died_ns: r.died))
        case .forked(let r):
            return RecordBytes.join(
                GP_FORKED,
                gp_forked(
                    header: gp_record_header(), parent: r.parent, last_stack: r.lastStack.rawValue, reserved: 0))
        case .firstFree(let r):
            return RecordBytes.join(
                GP_FIRST_FREE,
                gp_first_free(
                    header: gp_record_header(), allocated: r.allocated.rawValue, freed: r.freed.rawValue))
        case .zombie(let record): return encode(record)
        case .sampling(let record): return encode(record)
        case .probe(let record): return encode(record)
        }
    }

    private static func free(_ kind: Int, _ r: FreeRecord) -> [UInt8] {
        RecordBytes.cell(
            gp_free(
                kind: UInt8(kind), how: r.function.rawValue, size_high: UInt16(truncatingIfNeeded: r.size >> 32),
                size: UInt32(truncatingIfNeeded: r.size), stack: r.stack.rawValue, type: r.type.rawValue))
    }

    private static func mark(_ kind: Int, _ thread: ThreadID) -> [UInt8] {
        var raw = gp_thread_mark()
        raw.kind = UInt8(kind)
        raw.thread = thread.rawValue
        return RecordBytes.cell(raw)
    }
}
