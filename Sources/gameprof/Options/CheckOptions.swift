import ArgumentParser
import Foundation
import GameprofCheck

/// What a check is of.
struct CheckTargetOptions: ParsableArguments {
    @Argument(help: "Traces, or the program to record and its arguments.")
    var inputs: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Evaluate by this scenario of the budget, or run only this scenario.", valueName: "name"))
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

    @Flag(name: .customLong("fail-fast"), help: "Run no further scenario after one that did not pass.")
    var failFast = false

    /// What a check does without it.
    @Flag(name: .customLong("keep-going"), help: .hidden)
    var keepsGoing = false

    var part: CheckResult.Shard? { shard.flatMap(CheckResult.Shard.init(text:)) }

    func validate() throws {
        if shard != nil, part == nil {
            throw ValidationError("--shard takes a part such as 2/5, from 1/5 to 5/5.")
        }
    }
}

/// What a check is judged by.
struct CheckLimitOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Budget file: the limits of each scenario.", valueName: "file.yml"))
    var budget: String?

    @Option(name: .long, help: ArgumentHelp("Baseline file: accepted findings and measures.", valueName: "file.json"))
    var baseline: String?

    @Flag(name: .customLong("update-baseline"), help: "Rewrite the baseline so that this run passes.")
    var updatesBaseline = false

    @Option(
        name: .long,
        help: ArgumentHelp("Permitted increase over the baseline (default 10%).", valueName: "share"))
    var tolerance: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Fail for what is new or worse than in this history (gameprof history), on its branch with the most runs or on \
            the one after a colon (runs.sqlite:main).
            """, valueName: "file[:branch]"))
    var history: String?

    func validate() throws {
        if updatesBaseline, baseline == nil {
            throw ValidationError("--update-baseline needs --baseline.")
        }
    }

    func comparison(tolerance: Double) -> HistoryComparison? {
        guard let history else { return nil }
        // A name of a branch has no colon; that of a file may have one.
        guard access(history, F_OK) != 0, let colon = history.lastIndex(of: ":"),
            history[colon...].count > 1
        else { return HistoryComparison(path: history, branch: nil, tolerance: tolerance) }
        return HistoryComparison(
            path: String(history[..<colon]), branch: String(history[history.index(after: colon)...]),
            tolerance: tolerance)
    }
}
