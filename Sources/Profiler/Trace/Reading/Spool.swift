import CTraceFormat
import Foundation

/// The file beside a trace in which each thread of the recorded program fills its chunk.
enum Spool {
    /// The spool's path for a trace's.
    static func path(of trace: String) -> String { trace + ".spool" }

    /// The header of a spool, nil when the file is none of this version.
    static func header(of file: RandomAccessFile) throws -> gp_spool_header? {
        guard let header = try file.read(gp_spool_header.self, at: 0) else { return nil }
        let magic = withUnsafeBytes(of: header.magic) { Array($0) }
        return magic == Array(GP_SPOOL_MAGIC.utf8) + [0] && header.version == GP_TRACE_VERSION ? header : nil
    }

    /// `GP_STOPPED_*`: why the recorder stopped to store events.
    private enum Stop: UInt32 {
        case not = 0
        case bySize = 1
        case toolGone = 2
        case diskFull = 3
        case fileLimit = 4
        case otherwise = 5
    }

    /// Why the recorder stopped to store events, as a sentence; nil: it did not.
    static func stopSentence(_ header: gp_spool_header) -> String? {
        switch Stop(rawValue: header.stopped) ?? .otherwise {
        case .not: nil
        case .bySize:
            "The trace reached its maximum size (--max-trace-size): what happened afterwards was not recorded."
        case .toolGone: "gameprof ended before the program: what happened afterwards was not recorded."
        case .diskFull: "The disk was full: what happened afterwards was not recorded."
        case .fileLimit:
            "The trace reached the limit on file size (ulimit -f): what happened afterwards was not recorded."
        case .otherwise: "The trace could not be written any more: what happened afterwards was not recorded."
        }
    }

    /// Where the chunks in use stand: sequence → offset in the spool.
    static func chunks(of file: RandomAccessFile, chunkSize: Int) throws -> [UInt64: UInt64] {
        guard let header = try header(of: file) else { return [:] }
        var result: [UInt64: UInt64] = [:]
        var offset = UInt64(chunkSize)
        let end = min(file.currentSize, UInt64(header.blocks) * UInt64(chunkSize))
        while offset < end {
            if let chunk = try file.read(gp_chunk_header.self, at: offset), chunk.magic == GP_CHUNK_MAGIC,
                chunk.used > MemoryLayout<gp_chunk_header>.size, Int(chunk.used) <= chunkSize,
                chunk.sequence > 0, chunk.sequence < header.next_sequence
            {
                result[chunk.sequence] = offset
            }
            offset += UInt64(chunkSize)
        }
        return result
    }
}
