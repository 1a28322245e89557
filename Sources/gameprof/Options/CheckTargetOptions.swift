import ArgumentParser
import GameprofCheck

/// What a check is of.
struct CheckTargetOptions: ParsableArguments {
    @Argument(help: "Traces, or the program to record and its arguments.")
    var inputs: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Judge by this scenario of the budget, or run this one alone.", valueName: "name"))
    var scenario: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run the i-th of n parts of the scenarios; gameprof merge joins the results (--json).", valueName: "i/n"))
    var shard: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Instruments besides allocations and leaks: zombies, time.", valueName: "a,b"))
    var instruments: String?

    @Flag(name: .customLong("fail-fast"), help: "Run no further scenario after one did not pass.")
    var failFast = false

    /// What a check does without it.
    @Flag(name: .customLong("keep-going"), help: .hidden)
    var keepsGoing = false

    var part: CheckResult.Shard? { shard.flatMap(CheckResult.Shard.init(text:)) }

    func validate() throws {
        if shard != nil, part == nil {
            throw ValidationError("--shard takes a part as 2/5: from 1/5 to 5/5.")
        }
    }
}
