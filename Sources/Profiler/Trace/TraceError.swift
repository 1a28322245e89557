import CTraceFormat

/// Why a trace cannot be read or written. Every case reads as one sentence.
public enum TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be opened or read; `reason` is the system's.
    case unreadable(path: String, reason: String)
    /// The file does not begin as a trace does.
    case notATrace(path: String)
    /// The trace was written by a newer version than this one can read.
    case newerVersion(path: String, found: UInt32, supported: UInt32)
    /// The trace was written by a version so old that it cannot be read any more.
    case olderVersion(path: String, found: UInt32, oldest: UInt32)
    /// The header of the file contradicts itself.
    case damagedHeader(path: String, detail: String)
    /// The file cannot be written; `reason` is the system's.
    case unwritable(path: String, reason: String)

    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "\(path) cannot be read: \(reason)."
        case .notATrace(let path):
            "\(path) is not a gameprof trace."
        case .newerVersion(let path, let found, let supported):
            "\(path) is a trace of version \(found), but this gameprof reads only up to version \(supported)."
        case .olderVersion(let path, let found, let oldest):
            "\(path) is a trace of version \(found), but this gameprof reads only version \(oldest) and later."
        case .damagedHeader(let path, let detail):
            "\(path) is a damaged trace: \(detail)."
        case .unwritable(let path, let reason):
            "\(path) cannot be written: \(reason)."
        }
    }
}
