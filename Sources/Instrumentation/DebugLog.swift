internal import Glibc

#if Recording
internal import CCapture
#endif

/// Prints a line on standard error and, while something is recorded, puts it on the report's timeline. Only in debug
/// builds: a release build contains neither the call nor what the message is made of.
///
/// ```
/// 2026-11-21 06:20:04.123456 MyGame[1234:1239] Puzzle.swift:31 tilted up
/// ```
///
/// The numbers in brackets are those of process and thread (the thread with the trait Recording alone). One call of
/// write(2); lines of several threads do not mix.
@_alwaysEmitIntoClient @inline(__always)
public func debugLog(_ message: @autoclosure () -> String, file: String = #fileID, line: UInt32 = #line) {
    #if DEBUG
    DebugLog.write(message(), file: file, line: line)
    #endif
}

#if DEBUG || Recording
/// The debug log. Use `debugLog(_:)`.
public enum DebugLog {
    /// Writes a line whatever the build. Costs a system call.
    public static func write(_ message: String, file: String, line: UInt32) {
        #if Recording
        var message = message
        message.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { text in
                if let start = text.baseAddress { gp_log(file, line, start, text.count) }
            }
        }
        let thread = ":\(gp_kernel_thread())"
        #else
        let thread = ""
        #endif
        let name = file.split(separator: "/").last ?? ""
        let text = Array("\(timestamp()) \(process)[\(getpid())\(thread)] \(name):\(line) \(message)\n".utf8)
        text.withUnsafeBytes { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
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
