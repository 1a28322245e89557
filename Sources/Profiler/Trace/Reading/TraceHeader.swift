import CTraceFormat

/// What the first block of a trace says.
public struct TraceHeader: Hashable, Sendable {
    public var version: UInt32
    public var chunkSize: Int
    public var isCompressed: Bool
    /// The recorder or the tool closed the file; otherwise the recording was cut off.
    public var isFinished: Bool
    /// The program ended before its recorder could come to an end; the tool closed the file.
    public var isCut: Bool
    /// Wall clock when recording began, in nanoseconds since 1970.
    public var startUnixNanoseconds: UInt64
    public var pid: UInt64
    /// Events that could not be stored.
    public var droppedEvents: UInt64

    /// The newest version that this reader understands.
    public static let currentVersion = GP_TRACE_VERSION

    /// Reads and checks the header.
    static func read(from file: RandomAccessFile) throws -> TraceHeader {
        guard let raw = try file.read(gp_file_header.self, at: 0) else {
            throw TraceError.notATrace(path: file.path)
        }
        let magic = withUnsafeBytes(of: raw.magic) { Array($0) }
        guard magic == Array(GP_TRACE_MAGIC.utf8) + [0] else { throw TraceError.notATrace(path: file.path) }
        guard raw.version <= GP_TRACE_VERSION else {
            throw TraceError.newerVersion(path: file.path, found: raw.version, supported: GP_TRACE_VERSION)
        }
        guard raw.version >= GP_OLDEST_READABLE_VERSION else {
            throw TraceError.olderVersion(path: file.path, found: raw.version, oldest: GP_OLDEST_READABLE_VERSION)
        }
        let size = raw.chunk_size
        guard (4096...(1 << 24)).contains(size), size.nonzeroBitCount == 1 else {
            throw TraceError.damagedHeader(path: file.path, detail: "its header gives a chunk size of \(size) bytes")
        }
        return TraceHeader(
            version: raw.version, chunkSize: Int(size), isCompressed: raw.flags & UInt32(GP_FILE_COMPRESSED) != 0,
            isFinished: raw.flags & UInt32(GP_FILE_FINISHED) != 0, isCut: raw.flags & UInt32(GP_FILE_CUT) != 0,
            startUnixNanoseconds: raw.start_unix_ns,
            pid: raw.pid, droppedEvents: raw.dropped_events)
    }
}
