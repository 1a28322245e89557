import ArgumentParser
import Foundation
import GameprofCheck
import GameprofReportModel

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check programs or traces against a budget and a baseline, for continuous integration.",
        usage: """
            gameprof check [options] [--] PROGRAM [ARGS…]
            gameprof check [options] F.gptrace…
            gameprof check --budget F.yml [options]
            """,
        discussion: """
            A program runs once for allocations, leaks and time, and again for zombies if the budget limits them. \
            The third form runs every scenario of the budget that names its program (key run). Without a budget no \
            leaks and no zombies are allowed. With a baseline only findings that are not in it, and measures \
            beyond its tolerance, fail.

            A scenario may have a timeout (30 s): a run that takes longer is ended and fails. With repeat: 5 it runs \
            five times: an error that occurs in one run fails and is listed with its frequency, a warning fails that \
            counts in more than half of the runs, and of other measures the median is judged. A limit of a type that \
            the program does not have is not measured.

            With --history what is new or worse than in the history fails too, with the commit since which it is so. \
            Findings and figures that are the same in every run are compared by equality (--tolerance permits an \
            increase), times and memory by change points over the commits.

            Exit codes: 0 passed, 1 a finding or a measure fails, 2 wrong usage, 3 a program could not be started \
            (the other scenarios are judged all the same), 4 a recording is incomplete.
            """)

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
        help: ArgumentHelp("Judge by this scenario of the budget, or run this one alone.", valueName: "name"))
    var scenario: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Instruments besides allocations and leaks: zombies, time.", valueName: "a,b"))
    var instruments: String?

    @Option(
        name: .long, help: ArgumentHelp("Omit the findings that this YAML file suppresses.", valueName: "file.yml"))
    var suppressions: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Fail for what is new or worse than in this history (gameprof history).", valueName: "file"))
    var history: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Compare with this branch of the history (default: with the most runs).", valueName: "name"))
    var historyBranch: String?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp("Run the remaining scenarios after one did not pass (the default)."))
    var keepGoing = true

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run the i-th of n parts of the scenarios; gameprof merge joins the results (--json).", valueName: "i/n"))
    var shard: String?

    @OptionGroup var symbols: SymbolOptions
    @OptionGroup var results: ResultFileOptions

    @Argument(help: "Traces, or the program to record and its arguments.")
    var inputs: [String] = []

    func validate() throws {
        if inputs.isEmpty, budget == nil {
            throw ValidationError("Name a program, a trace, or a budget whose scenarios name programs.")
        }
        if shard != nil, part == nil {
            throw ValidationError("--shard takes a part as 2/5: from 1/5 to 5/5.")
        }
        if historyBranch != nil, history == nil {
            throw ValidationError("--history-branch needs --history.")
        }
        if updatesBaseline, baseline == nil {
            throw ValidationError("--update-baseline needs --baseline.")
        }
    }

    private var part: CheckResult.Shard? { shard.flatMap(CheckResult.Shard.init(text:)) }

    func run() throws {
        let settings = try CheckSettings(self)
        try results.check()
        if let baseline, updatesBaseline { try AtomicFile.check(baseline) }
        try settings.history?.check()
        let all = try CheckRun.plan(inputs: inputs, settings: settings, only: scenario)
        let runs = part?.part(of: all) ?? all
        var pass = CheckPass(command: self, settings: settings)
        try pass.run(runs)
        var scenarios = pass.judged
        // Without the history the results are there all the same; the check has failed then.
        let comparison = Result { try settings.history?.apply(to: &scenarios) }
        let result = CheckResult(scenarios: scenarios, shard: part)
        if let baseline, !pass.accepted.isEmpty { try BaselineFile(path: baseline).update(pass.accepted) }
        try results.write(result, pages: pass.pages)
        if pass.lacksProgram { throw ExitStatus.programNotStarted }
        if result.outcome == .failed { throw ExitStatus.findings }
        try comparison.get()
        if result.outcome != .passed { throw ExitStatus.toolFailed }
    }
}
