import ArgumentParser
import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofCheck

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
            five times: an error that occurs in one run fails and is listed with its frequency, and a warning fails if \
            it counts in more than half of the runs. For all other measures the median is evaluated. A limit on a type \
            that the program does not have counts as not measured.

            With --history, the check also fails for what is new or worse than in the history, and names the commit \
            where it began. Findings and figures that are the same in every run are compared by equality (--tolerance \
            permits an increase), times and memory by change points over the commits.

            Exit codes: 0 passed, 1 a finding or a measure fails, 2 wrong usage, 3 a program could not be started \
            (the other scenarios are evaluated nevertheless), 4 a recording is incomplete.
            """)

    @OptionGroup(title: HelpTitle.target) var target: CheckTargetOptions
    @OptionGroup(title: HelpTitle.limits) var limits: CheckLimitOptions
    @OptionGroup(title: HelpTitle.analysis) var suppressions: SuppressionOptions
    @OptionGroup(title: HelpTitle.analysis) var symbols: SymbolOptions
    @OptionGroup var results: ResultFileOptions

    func validate() throws {
        if target.inputs.isEmpty, limits.budget == nil {
            throw ValidationError("Name a program, a trace, or a budget whose scenarios name programs.")
        }
    }

    func run() throws {
        let baseline = limits.baseline
        if let baseline, limits.updatesBaseline { try AtomicFile.check(baseline, needsFile: true) }
        let settings = try settings()
        let output = ResultOutput(results.value())
        try output.check()
        try settings.history?.check()
        let all = try CheckRun.plan(inputs: target.inputs, settings: settings, only: target.scenario)
        let runs = target.part?.part(of: all) ?? all
        var pass = CheckPass(
            settings: settings, results: output, updatesBaseline: limits.updatesBaseline, keepsGoing: !target.failFast)
        try pass.run(runs)
        var scenarios = pass.judged
        // Without the history the results are there all the same; the check has failed then.
        let comparison = Result { try settings.history?.apply(to: &scenarios) }
        let result = CheckResult(scenarios: scenarios, shard: target.part)
        if let baseline, !pass.accepted.isEmpty { try BaselineFile(path: baseline).update(pass.accepted) }
        try pass.results.write(result)
        if pass.lacksProgram { throw ExitStatus.programNotStarted }
        let canBeAccepted = result.scenarios.contains { !$0.failingFindings.isEmpty || !$0.failingLimits.isEmpty }
        if baseline == nil, canBeAccepted, !results.value().isQuiet {
            StandardError.say("What fails can be accepted for now: add --baseline FILE --update-baseline.")
        }
        if result.outcome == .failed { throw ExitStatus.findings }
        try comparison.get()
        if result.outcome != .passed { throw ExitStatus.toolFailed }
    }

    /// The files that the options name, read.
    private func settings() throws -> CheckSettings {
        var budget: Budget?
        do {
            budget = try limits.budget.map(Budget.read)
        } catch let error as YAMLFileError {
            throw ToolError(.wrongUsage, error.description)
        }
        let accepted: Baseline
        do {
            let isMissing = limits.baseline.map { access($0, F_OK) != 0 && errno == ENOENT } ?? false
            if isMissing, !limits.updatesBaseline, let path = limits.baseline {
                throw ToolError(
                    .wrongUsage,
                    "The baseline \(path) does not exist yet; the same command with --update-baseline creates it.")
            }
            let isNew = limits.updatesBaseline && (isMissing || limits.baseline == nil)
            accepted = isNew ? Baseline() : try limits.baseline.map(Baseline.read) ?? Baseline()
        } catch let error as BaselineError {
            throw ToolError(.wrongUsage, error.description)
        }
        let permitted = try limits.tolerance.map(Self.share)
        let extra: [Instrument]
        do {
            extra = try target.instruments.map(InstrumentNames.read) ?? []
        } catch let error as ValidationError {
            throw ToolError(.wrongUsage, error.message)
        }
        return CheckSettings(
            budget: budget, baseline: accepted, tolerance: permitted ?? budget?.tolerance ?? Budget.defaultTolerance,
            suppressions: try SuppressionFile.read(suppressions.path), extraInstruments: extra, search: symbols.search,
            history: limits.comparison(tolerance: permitted ?? 0))
    }

    private static func share(_ text: String) throws -> Double {
        let digits = text.hasSuffix("%") ? text.dropLast().trimmingCharacters(in: .whitespaces) : text
        let factor = text.hasSuffix("%") ? 0.01 : 1
        guard let value = Double(digits), (0...10).contains(value * factor) else {
            throw ToolError(.wrongUsage, "--tolerance takes a share from 0% to 1000%, not “\(text)”.")
        }
        return value * factor
    }
}
