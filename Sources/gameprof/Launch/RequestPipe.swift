import Foundation

/// The FIFO through which the recorder is asked for something while the program runs. What is asked for before the recorder
/// reads waits in it.
final class RequestPipe: Sendable {
    let path: String
    /// Each byte that is written there is a request.
    let descriptor: Int32

    /// Where that of a recording is.
    static func path(of trace: String) -> String { trace + ".requests" }

    /// - Throws: `ToolError`: it cannot be created.
    init(of trace: String) throws {
        path = Self.path(of: trace)
        unlink(path)
        guard mkfifo(path, 0o600) == 0 else {
            let reason = String(cString: strerror(errno)).lowercased()
            throw ToolError(
                .wrongUsage, "Requests to the recorder need a FIFO at \(path), which cannot be created: \(reason).")
        }
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ToolError(.toolFailed, "The FIFO \(path) cannot be opened.")
        }
    }

    /// False: too many wait.
    @Sendable func send(_ request: RecorderRequest) -> Bool {
        var byte = request.rawValue
        return write(descriptor, &byte, 1) == 1
    }

    func end() {
        close(descriptor)
        unlink(path)
    }
}

/// What a recorder may be asked for while it records (`GP_REQUEST_*`).
enum RecorderRequest: UInt8 {
    case snapshot = 115
    case mark = 109
    case memoryWarning = 119
}

/// What a recording that has begun is to those who follow it.
struct RunningRecording: Sendable {
    /// Its first trace; others may stand beside it (`RecordedImages`).
    var raw: String
    /// The process that was started.
    var process: pid_t
    /// Asks its recorder. False: too many requests wait. Nil: nothing can be asked for.
    var ask: (@Sendable (RecorderRequest) -> Bool)?
    /// Ends the recording while the process runs on; nil: the program is asked to end.
    var stop: (@Sendable () -> Void)?
}

/// Follows a recording while its program runs.
protocol RecordingWatcher: AnyObject {
    /// The program has been started.
    func begin(_ recording: RunningRecording)
    /// The program has ended: its number is not another's yet. Returns when the trace is left alone.
    func end()
}
