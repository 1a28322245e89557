import ArgumentParser

/// How often a running process is looked at.
struct LookOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Look at a running process again and again, at this interval (60s), and report what grew.",
            valueName: "time", visibility: .hidden))
    var every: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "With --every: how long a running process is looked at, as 10m or 1h (default: until Ctrl-C).",
            valueName: "time", visibility: .hidden))
    var duration: String?

    func validate() throws {
        for (name, text) in [("--every", every), ("--for", duration)] {
            if let text { try TimeSpan.check(text, of: name) }
        }
        if duration != nil, every == nil { throw ValidationError("--for goes with --every.") }
    }

    /// Nil: there is one look.
    /// - Parameter pid: of the process.
    /// - Throws: `ToolError`.
    func interval(of pid: Int32?) throws -> LookInterval? {
        guard let every = every.flatMap(TimeSpan.milliseconds) else { return nil }
        guard pid != nil else {
            throw ToolError(.wrongUsage, "--every looks at a running process: name it with --pid PID.")
        }
        return LookInterval(milliseconds: every, duration: duration.flatMap(TimeSpan.milliseconds))
    }
}

/// When a running process is looked at.
struct LookInterval {
    /// From the beginning of a look to that of the next.
    var milliseconds: UInt64
    /// Milliseconds in which looks begin; nil: until somebody asks for an end, or the process ends.
    var duration: UInt64?
}
