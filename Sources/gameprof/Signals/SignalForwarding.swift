import Foundation

/// What the tool does with signals while the program runs.
struct SignalForwarding {
    /// Answered by the program: the terminal sends them to both.
    private static let shared = [SIGINT, SIGQUIT]
    /// Sent to the tool, meant for the program.
    private static let forwarded = [SIGTERM, SIGHUP]

    private var previous: [(signal: Int32, action: sigaction)] = []

    /// Whether the user, or what started the tool, has asked for an end since the first program was started.
    static var wasAskedToEnd: Bool { isAskedToEnd != 0 }

    /// Whether that was by a signal that is sent to the tool alone: what started it wants it to end.
    static var wasTerminated: Bool { isAskedToEnd > 1 }

    /// The same for a signal that came while no program ran. Async-signal-safe.
    static func noteRequest() { isAskedToEnd = max(isAskedToEnd, 1) }

    /// The requests so far were for a program that has ended.
    static func forgetRequests() { isAskedToEnd = 0 }

    /// Leaves to the program what it answers. The dispositions before are kept for the child and for `end`.
    static func begin() -> SignalForwarding {
        var result = SignalForwarding()
        forwardTarget = 0
        for signal in shared {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in SignalForwarding.noteRequest() }
            result.replace(signal, by: action)
        }
        for signal in forwarded {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                isAskedToEnd = 2
                if forwardTarget > 0 { kill(forwardTarget, number) }
            }
            result.replace(signal, by: action)
        }
        return result
    }

    /// Lets a write beyond `ulimit -f` fail with a reason instead of ending the tool.
    static func ignoreFileSizeSignal() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = SIG_IGN
        sigaction(SIGXFSZ, &action, &fileSizeAction)
    }

    /// What SIGXFSZ did before.
    static func restoreFileSizeSignal() { sigaction(SIGXFSZ, &fileSizeAction, nil) }

    /// Makes the child begin with the dispositions that the tool was started with: what was not ignored becomes the
    /// default, since no handler survives an exec.
    func inherit(into attributes: inout posix_spawnattr_t) {
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for (signal, action) in previous + [(SIGXFSZ, fileSizeAction)] {
            let wasIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
            if !wasIgnored { sigaddset(&defaults, signal) }
        }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    }

    /// Passes requests to terminate on to `child` from now on, also where whoever started the tool has blocked them. The
    /// program has inherited the mask before.
    func forward(to child: pid_t) {
        forwardTarget = child
        Self.unblock(Self.forwarded)
    }

    /// Lets all requests for an end through, also where whoever started the tool has blocked them: there is no child.
    static func unblockRequests() { unblock(shared + forwarded) }

    private static func unblock(_ signals: [Int32]) {
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in signals { sigaddset(&mask, signal) }
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    }

    /// Restores what was before.
    func end() {
        forwardTarget = 0
        for (signal, action) in previous {
            var action = action
            sigaction(signal, &action, nil)
        }
    }

    private mutating func replace(_ signal: Int32, by action: sigaction) {
        var old = sigaction()
        sigaction(signal, nil, &old)
        previous.append((signal, old))
        let isIgnored = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
        guard !isIgnored else { return }
        var action = action
        sigaction(signal, &action, nil)
    }
}

/// What SIGXFSZ did before. Written once, before there is a second thread.
private nonisolated(unsafe) var fileSizeAction = sigaction()

/// 1: a signal that the terminal sends to all asked for an end; 2: one for the tool. A plain word, written whole.
private nonisolated(unsafe) var isAskedToEnd: sig_atomic_t = 0

/// The process that a signal handler passes signals on to; 0: none. A plain word, read and written whole.
private nonisolated(unsafe) var forwardTarget: pid_t = 0
