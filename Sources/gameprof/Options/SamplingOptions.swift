import ArgumentParser

/// How time is sampled.
struct SamplingOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Samples per second of each thread's CPU time, 1 to 10000.", valueName: "n"))
    var rate = 1000

    @Flag(name: .long, help: "Sample waiting threads too: seconds by stack in locks, sleeps, input and output.")
    var wall = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Sampling trigger: perf (exact, not permitted everywhere), signal (the same, for use with a debugger, \
            slower), timer, or any (the first that works).
            """,
            valueName: "any|perf|signal|timer", visibility: .hidden))
    var source = "any"

    func validate() throws {
        guard (1...10_000).contains(rate) else { throw ValidationError("--rate takes a number from 1 to 10000.") }
        guard ["any", "perf", "signal", "timer"].contains(source) else {
            throw ValidationError("--source takes any, perf, signal or timer, not “\(source)”.")
        }
    }

    /// Variables for the recorder.
    var environment: [String: String] {
        ["GAMEPROF_TIME": "rate=\(rate);source=\(source)" + (wall ? ";wall" : "")]
    }
}
