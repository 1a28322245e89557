#if Instrumented
internal import CRecorderInterface
internal import Glibc
internal import Synchronization
#endif

/// Writes a line to where the log goes (`Instrumentation.log(to:from:)`: standard error unless told otherwise) and, while
/// something is recorded, puts it on the report's timeline. Only in builds with the trait Instrumented: others contain neither
/// the call nor what the message is made of.
///
/// ```
/// 2026-11-21 06:20:04.123456 MyGame[1234:1239] Puzzle.swift:31 tilt(_:) warning: the board is full
/// ```
///
/// The numbers in brackets are those of process and thread. One call of write(2); lines of several threads do not mix. A line
/// below the log's level is not made.
@_alwaysEmitIntoClient @inline(__always)
public func debugLog(
    _ message: @autoclosure () -> String, level: LogLevel = .debug, file: String = #fileID,
    function: String = #function, line: UInt32 = #line
) {
    #if Instrumented
    if DebugLog.takes(level) { DebugLog.write(message(), level: level, file: file, function: function, line: line) }
    #endif
}

#if Instrumented
/// How much a line of the log matters, from `debug` to `error`.
public struct LogLevel: Sendable {
    let rank: UInt8
    let name: String

    /// For whoever looks for a fault.
    public static let debug = LogLevel(rank: 0, name: "")

    /// What happens.
    public static let info = LogLevel(rank: 1, name: "info: ")

    /// What should not happen, and is dealt with.
    public static let warning = LogLevel(rank: 2, name: "warning: ")

    /// What went wrong.
    public static let error = LogLevel(rank: 3, name: "error: ")
}

/// Where the log goes.
public struct LogDestination: Sendable {
    enum Kind {
        case standardError, off
        case file(String)
    }

    let kind: Kind

    /// Standard error.
    public static let standardError = LogDestination(kind: .standardError)

    /// Nowhere: lines stand in the report alone.
    public static let off = LogDestination(kind: .off)

    /// The end of this file, which is made where there is none, for its user alone. Another user's link is not followed.
    public static func file(_ path: String) -> LogDestination { LogDestination(kind: .file(path)) }
}

extension Instrumentation {
    /// Has the lines of this level and above go there from now on; those below are not made. False: the file cannot be
    /// opened, and nothing changes.
    @discardableResult
    public static func log(to destination: LogDestination, from level: LogLevel = .debug) -> Bool {
        DebugLog.set(destination, level)
    }
}

/// The debug log. Use `debugLog(_:)`.
@usableFromInline
enum DebugLog {
    private struct State {
        /// −1: off.
        var descriptor = STDERR_FILENO
        var rank: UInt8 = 0
    }

    private static let state = Mutex(State())

    static func set(_ destination: LogDestination, _ level: LogLevel) -> Bool {
        state.withLock { state in
            let former = state.descriptor
            switch destination.kind {
            case .standardError: state.descriptor = STDERR_FILENO
            case .off: state.descriptor = -1
            case .file(let path):
                let opened = isForeignLink(path) ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
                guard opened >= 0 else { return false }
                state.descriptor = opened
            }
            if former > STDERR_FILENO { close(former) }
            state.rank = level.rank
            return true
        }
    }

    /// Another user may have planted it where everybody can write.
    private static func isForeignLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
            && ![0, geteuid()].contains(status.st_uid)
    }

    /// Whether lines of this level are made.
    @usableFromInline
    static func takes(_ level: LogLevel) -> Bool { state.withLock { level.rank >= $0.rank } }

    /// Writes a line whatever the build. Costs a system call.
    @usableFromInline
    static func write(_ message: String, level: LogLevel, file: String, function: String, line: UInt32) {
        var recorded = "\(function) \(level.name)\(message)"
        recorded.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { text in
                if let start = text.baseAddress { gp_log(file, line, start, text.count) }
            }
        }
        let name = file.split(separator: "/").last ?? ""
        let head = "\(timestamp()) \(process)[\(getpid()):\(gp_kernel_thread())] \(name):\(line) \(function) "
        let text = Array("\(head)\(level.name)\(message)\n".utf8)
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            text.withUnsafeBytes { _ = Glibc.write(state.descriptor, $0.baseAddress, $0.count) }
        }
    }

    private static let process = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "?"

    private static func timestamp() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        localtime_r(&now.tv_sec, &parts)
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer -> String in
            strftime(buffer.baseAddress, 32, "%F %T", &parts)
            return buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        let fraction = String(now.tv_nsec / 1000)
        return text + "." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
#endif
