import CTraceFormat
import Foundation

/// What a test asks of a trace, read straight from its bytes and those of its spool.
struct RecorderTrace {
    private(set) var isFinished = false
    private(set) var dropped: UInt64 = 0
    /// Allocations and frees by requested size.
    private(set) var allocations: [Int: Int] = [:]
    private(set) var frees: [Int: Int] = [:]
    /// Allocations by kernel thread id.
    private(set) var threads: [UInt32: Int] = [:]
    private(set) var hasSpool = false
    /// GP_STOPPED_*, by the spool.
    private(set) var stopped = GP_STOPPED_NOT
    private(set) var exitStatus: Int32?
    private(set) var strings: [String] = []

    init(_ file: URL) throws {
        let trace = try Data(contentsOf: file)
        let header = trace.withUnsafeBytes { $0.loadUnaligned(as: gp_file_header.self) }
        isFinished = header.flags & UInt32(GP_FILE_FINISHED) != 0
        dropped = header.dropped_events
        var chunks = Self.chunks(trace)
        if let spool = try? Data(contentsOf: URL(filePath: file.path + ".spool")) {
            hasSpool = true
            let header = spool.withUnsafeBytes { $0.loadUnaligned(as: gp_spool_header.self) }
            dropped = header.dropped_events
            stopped = Int(header.stopped)
            chunks.merge(Self.chunks(spool)) { stored, _ in stored }
        }
        for (_, chunk) in chunks.sorted(by: { $0.key < $1.key }) { read(chunk) }
    }

    /// Chunks by sequence number.
    private static func chunks(_ file: Data) -> [UInt64: Data] {
        let size = Int(GP_CHUNK_SIZE)
        var chunks: [UInt64: Data] = [:]
        for start in stride(from: size, to: file.count, by: size) {
            let chunk = Data(file[start..<min(start + size, file.count)])
            guard chunk.count >= MemoryLayout<gp_chunk_header>.size else { continue }
            let header = chunk.withUnsafeBytes { $0.loadUnaligned(as: gp_chunk_header.self) }
            guard header.magic == UInt32(GP_CHUNK_MAGIC), header.used > 0, header.used <= chunk.count else { continue }
            chunks[header.sequence] = chunk.prefix(Int(header.used))
        }
        return chunks
    }

    private mutating func read(_ chunk: Data) {
        chunk.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            var thread = bytes.loadUnaligned(as: gp_chunk_header.self).thread
            var place = MemoryLayout<gp_chunk_header>.size
            var temporary: Int?
            while place < bytes.count {
                let record = UnsafeRawBufferPointer(rebasing: bytes[place...])
                switch Int(record[0]) {
                case GP_ALLOC:
                    count(Self.size(record), allocated: 1, thread)
                case GP_FREE:
                    frees[Self.size(record), default: 0] += 1
                case GP_TEMPORARY:
                    temporary = Self.size(record)
                    count(Self.size(record), allocated: 1, freed: 1, thread)
                case GP_REPEAT:
                    let times = Int(record.loadUnaligned(as: gp_repeat.self).count)
                    if let temporary { count(temporary, allocated: times, freed: times, thread) }
                case GP_THREAD:
                    thread = record.loadUnaligned(as: gp_thread_mark.self).thread
                case GP_PROGRAM:
                    let header = record.loadUnaligned(as: gp_record_header.self)
                    let text = record[MemoryLayout<gp_program>.size..<Int(header.size)]
                    strings = text.split(separator: 0, omittingEmptySubsequences: true)
                        .map { String(decoding: $0, as: UTF8.self) }
                case GP_PROGRAM_EXIT:
                    exitStatus = record.loadUnaligned(as: gp_program_exit.self).status
                default:
                    break
                }
                let cells = record[0] < 0x80 ? 1 : Int(record.loadUnaligned(as: gp_record_header.self).cells)
                place += max(cells, 1) * Int(GP_CELL_SIZE)
            }
        }
    }

    private mutating func count(_ size: Int, allocated: Int, freed: Int = 0, _ thread: UInt32) {
        allocations[size, default: 0] += allocated
        if freed > 0 { frees[size, default: 0] += freed }
        threads[thread, default: 0] += allocated
    }

    private static func size(_ record: UnsafeRawBufferPointer) -> Int {
        let event = record.loadUnaligned(as: gp_free.self)
        return Int(event.size) | Int(event.size_high) << 32
    }
}
