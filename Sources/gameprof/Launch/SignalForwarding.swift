import Foundation

/// What the tool does with signals while the program runs.
struct SignalForwarding {
    /// Answered by the program: the terminal sends them to both.
    private static let ignored = [SIGINT, SIGQUIT]
    /// Sent to the tool, meant for the program.
    private static let forwarded = [SIGTERM, SIGHUP]

    private var previous: [(signal: Int32, action: sigaction)] = []

    /// Ignores what the program answers. The dispositions before are kept for the child and for `end`.
    static func begin() -> SignalForwarding {
        var result = SignalForwarding()
        forwardTarget = 0
        for signal in ignored {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = SIG_IGN
            result.replace(signal, by: action)
        }
        for signal in forwarded {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
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

    /// Passes requests to terminate on to `child` from now on.
    func forward(to child: pid_t) { forwardTarget = child }

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

/// The process that a signal handler passes signals on to; 0: none. A plain word, read and written whole.
private nonisolated(unsafe) var forwardTarget: pid_t = 0
