import CGameprofPerf
import Foundation

/// The stack of a thread as the kernel, or a stop, shows it.
struct CopiedStack {
    var process: pid_t
    var thread: pid_t
    /// Nanoseconds of the monotonic clock.
    var time: UInt64
    var pc: UInt = 0
    var sp: UInt = 0
    var fp: UInt = 0
    /// The link register, where there is one.
    var link: UInt = 0
    /// From the stack pointer on; valid as long as its source.
    var words = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The stack goes on behind them.
    var isCut = false
}

/// A record of a perf event's ring (`perf_event_open(2)`). Sizes and counts are believed only within the record.
enum PerfRecord {
    /// - Parameter event: of what it is a sample.
    case sample(CopiedStack, event: UInt64)
    /// So many records found no room.
    case lost(UInt64)
    case other

    private static let (lostKind, sampleKind, lostSamplesKind): (UInt32, UInt32, UInt32) = (2, 9, 13)

    /// The kind and the size of the record that begins with these bytes; nil: they are no header.
    static func header(_ bytes: UnsafeRawBufferPointer) -> (kind: UInt32, size: Int)? {
        guard bytes.count >= 8 else { return nil }
        let size = Int(bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        guard size >= 8 else { return nil }
        return (bytes.loadUnaligned(as: UInt32.self), size)
    }

    /// Reads a whole record. Nil: it is malformed.
    static func read(_ record: UnsafeRawBufferPointer) -> PerfRecord? {
        guard let header = header(record), header.size <= record.count else { return nil }
        var fields = Fields(bytes: UnsafeRawBufferPointer(rebasing: record[8..<header.size]))
        switch header.kind {
        case lostKind:
            guard fields.word() != nil, let count = fields.word() else { return nil }
            return .lost(count)
        case lostSamplesKind: return fields.word().map { .lost($0) }
        case sampleKind: return sample(&fields)
        default: return .other
        }
    }

    private static func sample(_ fields: inout Fields) -> PerfRecord? {
        guard let ids = fields.word(), let time = fields.word(), let event = fields.word(), let abi = fields.word()
        else { return nil }
        var stack = CopiedStack(
            process: pid_t(truncatingIfNeeded: ids & 0xffff_ffff), thread: pid_t(truncatingIfNeeded: ids >> 32),
            time: time)
        // PERF_SAMPLE_REGS_ABI_NONE: of a thread without user mode; 1: of a 32-bit program.
        if abi != 0 {
            guard let fp = fields.word() else { return nil }
            let link: UInt64? = GP_PERF_HAS_LINK != 0 ? fields.word() : 0
            guard let link, let sp = fields.word(), let pc = fields.word() else { return nil }
            (stack.fp, stack.link, stack.sp, stack.pc) = (UInt(fp), UInt(link), UInt(sp), UInt(pc))
        }
        guard let size = fields.word(), let copy = fields.take(size) else { return nil }
        if size > 0 {
            guard let used = fields.word(), used <= size else { return nil }
            stack.words = UnsafeRawBufferPointer(rebasing: copy[..<Int(used)])
            stack.isCut = used == size
        }
        return .sample(stack, event: event)
    }
}

/// Takes words from the front of bytes.
private struct Fields {
    var bytes: UnsafeRawBufferPointer

    mutating func word() -> UInt64? {
        guard bytes.count >= 8 else { return nil }
        defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[8...]) }
        return bytes.loadUnaligned(as: UInt64.self)
    }

    mutating func take(_ count: UInt64) -> UnsafeRawBufferPointer? {
        guard count <= UInt64(bytes.count) else { return nil }
        defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[Int(count)...]) }
        return UnsafeRawBufferPointer(rebasing: bytes[..<Int(count)])
    }
}
