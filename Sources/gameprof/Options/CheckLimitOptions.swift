import ArgumentParser
import Foundation

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
