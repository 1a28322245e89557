import ArgumentParser

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
        guard TimeSpan.milliseconds(duration) != nil else {
            throw ValidationError("--for needs a time of 1 ms to 1,000,000 s, as 30s or 500ms.")
        }
    }

    /// Seconds.
    var seconds: Double { duration.flatMap(TimeSpan.milliseconds).map { Double($0) / 1000 } ?? 10 }
}
