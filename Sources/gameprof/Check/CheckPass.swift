import GameprofAnalysis
import GameprofCheck

/// Runs and judges scenarios, one after the other.
struct CheckPass {
    private(set) var results: ResultOutput
    let updatesBaseline: Bool
    /// Whether scenarios are run after one that did not pass.
    let keepsGoing: Bool
    let settings: CheckSettings
    private(set) var judged: [CheckResult.Scenario] = []
    /// What the baseline is to hold, by scenario.
    private(set) var accepted: [String: Baseline.Scenario] = [:]
    /// A program could not be started.
    private(set) var lacksProgram = false

    init(settings: CheckSettings, results: ResultOutput, updatesBaseline: Bool, keepsGoing: Bool) {
        self.settings = settings
        self.results = results
        self.updatesBaseline = updatesBaseline
        self.keepsGoing = keepsGoing
    }

    mutating func run(_ runs: [CheckRun]) throws {
        for (number, run) in runs.enumerated() {
            let name = "[\(number + 1)/\(runs.count)] \(run.scenario.name)"
            if SignalForwarding.wasAskedToEnd {
                judged.append(run.unrecorded(because: "Not run, because the check was interrupted."))
            } else if !keepsGoing, judged.contains(where: { $0.outcome != .passed }) {
                judged.append(
                    run.unrecorded(because: "Not run, because an earlier scenario did not pass (--fail-fast)."))
            } else {
                if runs.count > 1 { say("\(name): \(run.program.joined(separator: " "))") }
                let verdict = try judge(run)
                if runs.count > 1 { say("\(name): \(verdict.outcome.rawValue)") }
                judged.append(verdict)
            }
        }
    }

    private func say(_ sentence: String) {
        if !results.files.isQuiet { StandardError.say(sentence) }
    }

    private mutating func judge(_ run: CheckRun) throws -> CheckResult.Scenario {
        let recorded: CheckRun.Recorded
        do {
            recorded = try run.record(
                settings: settings, isQuiet: results.files.isQuiet, outputToError: results.files.takesOutput)
        } catch let error as ToolError where [.toolFailed, .programNotStarted].contains(error.status) {
            // What could be recorded of the other scenarios is judged all the same.
            StandardError.say(error.description)
            lacksProgram = lacksProgram || error.status == .programNotStarted
            return run.unrecorded(
                because: error.description, outcome: error.status == .programNotStarted ? .failed : .incomplete)
        }
        let reports = recorded.runs.map { $0.map(\.report) }
        let names = recorded.types
        let before = settings.baseline.scenarios[run.scenario.name]
        var judge = BudgetEvaluator(
            scenario: run.scenario, baseline: before, tolerance: settings.tolerance, knowsType: { names.has($0) })
        var verdict = judge.judge(runs: reports)
        if updatesBaseline, recorded.failures.isEmpty {
            let update = judge.accepting(runs: reports)
            judge.baseline = update
            let updated = judge.judge(runs: reports)
            // What was not recorded whole says nothing of what is to be accepted.
            if updated.outcome != .incomplete, updated.problems.isEmpty {
                verdict = updated
                accepted[run.scenario.name] = update
                for sentence in BaselineChangeText.sentences(before, update, verdict: updated) { say(sentence) }
            } else {
                let reasons = updated.problems + updated.limits.filter { $0.status == .unmeasured }.map(\.message)
                StandardError.say(
                    "The baseline of \(run.scenario.name) is unchanged: \(reasons.joined(separator: " "))")
            }
        }
        for failure in recorded.failures { verdict.fail(because: failure) }
        for (word, report) in recorded.runs.joined() {
            try results.write(report, scenario: run.scenario.name, word: word)
        }
        return verdict
    }
}
