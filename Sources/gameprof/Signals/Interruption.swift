import Foundation
import GameprofBasics

/// What the tool does when it is asked to end while it works on a finished recording. After the first signal it goes on,
/// since the report is near; the second ends the tool, keeps the trace and says where it is. Where it waits for the reader of a
/// pipe the first one does.
final class Interruption {
    private var previous: [(signal: Int32, action: sigaction)] = []

    /// - Parameters:
    ///   - trace: what is kept.
    ///   - lock: a file without which the trace is no leftover of a killed tool; nil: there is none.
    init(keeping trace: String, lock: String?) {
        let name = PlainText.clean(trace)
        lockToRemove = lock.map { strdup($0) } ?? nil
        firstAnswer = strdup("gameprof: The recording is still being read; a second signal stops that.\n")
        secondAnswer = strdup("gameprof: The trace is kept: gameprof report \(name)\n")
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            var old = sigaction()
            sigaction(signal, nil, &old)
            let isIgnored = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
            guard !isIgnored else { continue }
            previous.append((signal, old))
            var action = sigaction()
            action.__sigaction_handler.sa_handler = answerInterruption
            action.sa_flags = Int32(SA_RESTART)
            sigaction(signal, &action, nil)
        }
    }

    deinit { end() }

    /// What `body` does may last for ever, as it waits for somebody else: meanwhile the first signal ends the tool.
    static func whileWaiting<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        isWaiting = 1
        defer { isWaiting = 0 }
        return try body()
    }

    /// The requests so far were for work that is done.
    static func forgetRequests() { interruptions = 0 }

    /// Restores what was before.
    func end() {
        for (signal, action) in previous {
            var action = action
            sigaction(signal, &action, nil)
        }
        previous = []
    }
}

// What the handler needs, made before: it may not allocate. The texts are not freed, since a handler may be reading them.
private nonisolated(unsafe) var interruptions: sig_atomic_t = 0
private nonisolated(unsafe) var isWaiting: sig_atomic_t = 0
private nonisolated(unsafe) var lockToRemove: UnsafeMutablePointer<CChar>?
private nonisolated(unsafe) var firstAnswer: UnsafeMutablePointer<CChar>?
private nonisolated(unsafe) var secondAnswer: UnsafeMutablePointer<CChar>?

private func answerInterruption(_ signal: Int32) {
    let error = errno
    defer { errno = error }
    interruptions += 1
    SignalForwarding.noteRequest()
    let ends = interruptions > 1 || isWaiting != 0
    // Nobody may read standard error either.
    var room = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    if let text = ends ? secondAnswer : firstAnswer, poll(&room, 1, 0) == 1 {
        _ = write(STDERR_FILENO, text, strlen(text))
    }
    guard ends else { return }
    if let lockToRemove { unlink(lockToRemove) }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(signal, &action, nil)
    kill(getpid(), signal)
}
