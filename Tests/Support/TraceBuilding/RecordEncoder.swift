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
        case .time(let time): return RecordBytes.time(time)
        case .thread(let thread): return RecordBytes.thread(thread)
        case .threadEnd(let thread): return RecordBytes.threadEnd(thread)
        case .frame(let r): return RecordBytes.frame(r)
        case .type(let r): return RecordBytes.type(r)
        case .resident(let r): return RecordBytes.resident(r)
        case .environment(let r): return RecordBytes.environment(r)
        case .image(let r): return RecordBytes.image(r)
        case .typeName(let r): return RecordBytes.typeName(r)
        case .threadName(let r): return RecordBytes.threadName(r)
        case .threadStack(let r): return RecordBytes.threadStack(r)
        case .program(let r): return RecordBytes.program(r)
        case .programExit(let r): return RecordBytes.programExit(r)
        case .crash(let r): return RecordBytes.crash(r)
        case .loss(let r): return RecordBytes.loss(r)
        case .note(let r): return RecordBytes.note(r)
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
}
