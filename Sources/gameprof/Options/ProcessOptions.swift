import ArgumentParser

/// A running process that a command is about, for as long as is asked for.
struct WatchedProcess: ParsableArguments {
    @Argument(help: "The number of the process.")
    var pid: Int32

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "Stop after this time, as 30s (default: Ctrl-C, or the end of the process, ends it).", valueName: "time"))
    var duration: String?

    func validate() throws {
        if pid <= 0 { throw ValidationError("PID is the number of a process.") }
        if let duration { try TimeSpan.check(duration, of: "--for") }
    }

    /// Seconds; nil: until somebody ends it.
    var seconds: Double? { duration.flatMap(TimeSpan.milliseconds).map { Double($0) / 1_000 } }
}

/// A running process that is sampled, and for how long.
struct ProcessOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Sample this running process, which nobody has prepared, from outside.", valueName: "pid"))
    var pid: Int32?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long a running process is sampled, as 30s or 500ms (default 10s); Ctrl-C ends it earlier.",
            valueName: "time"))
    var duration: String?

    func validate() throws {
        if let pid, pid <= 0 { throw ValidationError("--pid takes the number of a process.") }
        guard let duration else { return }
        guard pid != nil else {
            throw ValidationError("--for goes with --pid: a program is recorded until it ends.")
        }
        try TimeSpan.check(duration, of: "--for")
    }

    /// Seconds.
    var seconds: Double { duration.flatMap(TimeSpan.milliseconds).map { Double($0) / 1000 } ?? 10 }
}
