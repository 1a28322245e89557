import ArgumentParser
import Foundation
import Profiler

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Fail for a new defect or a measure beyond its budget: the diagnostic pass of a build.",
        usage: """
            gameprof check [options] [--] PROGRAM [ARGS…]
            gameprof check [options] F.gptrace…
            gameprof check --budget F.yml [options]
            """,
        discussion: """
            A program is run once for allocations, leaks and time, and once more for zombies where they are limited. \
            The third form runs every scenario of the budget that names its program (key run). Without a budget no \
            leaks and no zombies are allowed. A baseline holds what is accepted: only what is not in it, or is more \
            than the tolerance beyond it, fails.

            Exit codes: 0 passed, 1 a finding or a measure fails, 2 wrong usage, 3 a program could not be started, \
            4 a recording is incomplete.
            """)

    @Option(name: .long, help: ArgumentHelp("The limits of each scenario.", valueName: "file.yml"))
    var budget: String?

    @Option(name: .long, help: ArgumentHelp("Accepted findings and measures.", valueName: "file.json"))
    var baseline: String?

    @Flag(name: .customLong("update-baseline"), help: "Rewrite the baseline so that this run passes.")
    var updatesBaseline = false

    @Option(
        name: .long,
        help: ArgumentHelp("How much more than the baseline is still the same (default 10%).", valueName: "share"))
    var tolerance: String?

    @Option(name: .long, help: ArgumentHelp("Judge by this scenario, or run this one alone.", valueName: "name"))
    var scenario: String?

    @Option(
        name: .long,
        help: ArgumentHelp("What to record beside allocations and leaks: zombies, time.", valueName: "a,b"))
    var instruments: String?

    @Option(
        name: .long, help: ArgumentHelp("Leave out the findings that this YAML file names.", valueName: "file.yml"))
    var suppressions: String?

    @OptionGroup var results: ResultFileOptions

    @Argument(help: "Traces, or the program to record and its arguments.")
    var inputs: [String] = []

    func validate() throws {
        if inputs.isEmpty, budget == nil {
            throw ValidationError("Name a program, a trace, or a budget whose scenarios name programs.")
        }
        if updatesBaseline, baseline == nil {
            throw ValidationError("--update-baseline needs --baseline to say which file.")
        }
    }

    func run() throws {
        let settings = try CheckSettings(self)
        try results.check()
        if let baseline, updatesBaseline { try AtomicFile.check(baseline) }
        let runs = try CheckRun.plan(inputs: inputs, settings: settings, only: scenario)
        var judged: [CheckResult.Scenario] = []
        var accepted: [String: Baseline.Scenario] = [:]
        var pages: Set<String> = []
        for run in runs {
            let reports: [(word: String, report: Report)]
            do {
                reports = try run.reports(settings: settings, isQuiet: results.quiet)
            } catch let error as ToolError where error.status == .toolFailed {
                // What could be recorded of the other scenarios is judged all the same.
                StandardError.say(error.description)
                judged.append(.unrecorded(run.scenario.name, because: error.description))
                continue
            }
            guard let first = reports.first?.report else { continue }
            let others = reports.dropFirst().map(\.report)
            var judge = Judge(
                scenario: run.scenario, baseline: settings.baseline.scenarios[run.scenario.name],
                tolerance: settings.tolerance)
            var verdict = judge.judge(first, beside: others)
            if updatesBaseline {
                let update = judge.accepting(first, beside: others)
                judge.baseline = update
                let updated = judge.judge(first, beside: others)
                // What was not recorded whole says nothing of what is to be accepted.
                if updated.outcome != .incomplete, updated.problems.isEmpty {
                    verdict = updated
                    accepted[run.scenario.name] = update
                } else {
                    StandardError.say("What the baseline holds of \(run.scenario.name) stays as it was.")
                }
            }
            judged.append(verdict)
            for (word, report) in reports {
                try results.write(report, scenario: run.scenario.name + word, used: &pages)
            }
        }
        let result = CheckResult(scenarios: judged)
        if let baseline, !accepted.isEmpty { try BaselineFile(path: baseline).update(accepted) }
        try results.write(result)
        if result.outcome != .passed { throw result.outcome == .failed ? ExitStatus.findings : .toolFailed }
    }
}
