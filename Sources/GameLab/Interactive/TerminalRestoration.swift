import Foundation

/// Gives the terminal back on every way out: at the end, through `exit`, and before a signal ends or stops the program.
/// One at a time: a process has one terminal. What runs in a signal handler only reads words and makes system calls.
enum TerminalRestoration {
    private static let ending: [Int32] = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP,
    ]

    /// Makes the terminal raw and clears a screen of its own; false: it cannot be set up, errno says why.
    static func begin() -> Bool {
        guard tcgetattr(STDIN_FILENO, &original) == 0 else { return false }
        raw = original
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
        guard enter() else { return false }
        isTaken = true
        _ = registration
        for signal in ending { handle(signal, endingHandler) }
        handle(SIGTSTP, stopHandler)
        handle(SIGCONT, continueHandler)
        return true
    }

    /// Gives the terminal back, once.
    static func end() {
        guard isTaken else { return }
        isTaken = false
        leave()
        for signal in ending + [SIGTSTP, SIGCONT] { handle(signal, nil) }
    }

    /// `exit` from anywhere gives it back too.
    private static let registration: Void = { atexit { TerminalRestoration.end() } }()

    private static func handle(_ signal: Int32, _ handler: (@convention(c) (Int32) -> Void)?) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        sigaction(signal, &action, nil)
    }

    private static let endingHandler: @convention(c) (Int32) -> Void = { signal in
        if isTaken { leave() }
        isTaken = false
        dieBy(signal)
    }

    private static let stopHandler: @convention(c) (Int32) -> Void = { _ in
        let number = errno
        if isTaken { leave() }
        raise(SIGSTOP)
        errno = number
    }

    private static let continueHandler: @convention(c) (Int32) -> Void = { _ in
        let number = errno
        if isTaken, enter() { isStale = true }
        errno = number
    }

    /// True once after the screen has to be drawn anew: the program was stopped in between.
    static func takeStale() -> Bool {
        defer { isStale = false }
        return isStale
    }

    private static func dieBy(_ signal: Int32) {
        handle(signal, nil)
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, signal)
        sigprocmask(SIG_UNBLOCK, &mask, nil)
        raise(signal)
    }

    private static func enter() -> Bool {
        guard tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else { return false }
        put(enterSequence)
        return true
    }

    private static func leave() {
        put(leaveSequence)
        tcsetattr(STDIN_FILENO, TCSANOW, &original)
    }

    private static func put(_ sequence: StaticString) {
        _ = write(STDOUT_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
    }

    /// Alternate screen, no cursor, mouse buttons in SGR form; and all of it back.
    private static let enterSequence: StaticString = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?1000h\u{1b}[?1006h\u{1b}[2J"
    private static let leaveSequence: StaticString = "\u{1b}[?1006l\u{1b}[?1000l\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l"
}

// Plain words, written before the handlers are set and read by them.
private nonisolated(unsafe) var original = termios()
private nonisolated(unsafe) var raw = termios()
private nonisolated(unsafe) var isTaken = false
private nonisolated(unsafe) var isStale = false
