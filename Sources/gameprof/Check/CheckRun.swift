import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofCheck

/// One recording to judge: a trace that is there, or a program to be run.
struct CheckRun {
    enum Source {
        /// Of the same scenario, with different instruments.
        case traces([String])
        case program([String])
    }

    var scenario: Budget.Scenario
    var source: Source

    /// The program and its arguments; of traces the first one.
    var program: [String] {
        switch source {
        case .traces(let paths): Array(paths.prefix(1))
        case .program(let program): program
        }
    }

    /// The scenario without a recording.
    func unrecorded(
        because sentence: String, outcome: CheckResult.Outcome = .incomplete
    ) -> CheckResult.Scenario {
        .unrecorded(scenario.name, outcome: outcome, program: program, at: scenario.place, because: sentence)
    }

    /// What the command line and the budget ask for. `only`: the scenario that the command line names.
    static func plan(inputs: [String], settings: CheckSettings, only: String?) throws -> [CheckRun] {
        guard let first = inputs.first else {
            let scenarios = try only.map { [try scenario(named: $0, settings)] } ?? settings.budget?.scenarios ?? []
            let runs = scenarios.filter { !$0.program.isEmpty || only != nil }
            guard !runs.isEmpty else {
                throw ToolError(
                    .wrongUsage, "No scenario of the budget names its program. Add a run: key, or name a program.")
            }
            return try runs.map { scenario in
                guard !scenario.program.isEmpty else {
                    throw ToolError(.wrongUsage, "The scenario \(scenario.name) names no program. Name one after --.")
                }
                return CheckRun(scenario: scenario, source: .program(scenario.program))
            }
        }
        if isTrace(first) { return try runs(of: inputs, settings, only: only) }
        _ = try ProgramFile.find(first, environment: ProcessInfo.processInfo.environment)
        let name = URL(fileURLWithPath: first).lastPathComponent
        return [CheckRun(scenario: try scenario(for: name, settings, only: only), source: .program(inputs))]
    }

    private static func runs(of traces: [String], _ settings: CheckSettings, only: String?) throws -> [CheckRun] {
        var scenarios: [Budget.Scenario] = []
        var paths: [String: [String]] = [:]
        for path in traces {
            let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            let scenario = try scenario(for: name, settings, only: only)
            if paths[scenario.name] == nil { scenarios.append(scenario) }
            paths[scenario.name, default: []].append(path)
        }
        return scenarios.map { CheckRun(scenario: $0, source: .traces(paths[$0.name] ?? [])) }
    }

    /// What the runs of a scenario left.
    struct Recorded {
        /// Of each run the reports of its recordings, with a word for each.
        var runs: [[(word: String, report: Report)]] = []
        /// Sentences: why the scenario fails, whatever the reports say.
        var failures: [String] = []
        var types = ProgramTypes()
    }

    /// Records, or reads the traces; no type and no function is left out of the reports.
    func record(settings: CheckSettings, isQuiet: Bool, outputToError: Bool) throws -> Recorded {
        var options = ReportOptions()
        options.heapSnapshot = .last
        options.typeRows = 1_000_000
        options.functionRows = 1_000_000
        options.heapTypeRows = 1_000_000
        options.suppressions = settings.suppressions
        var output = ReportOutput(files: ReportFiles(isQuiet: isQuiet))
        output.search = settings.search
        switch source {
        case .traces(let paths): return try read(paths, options, output)
        case .program(let program):
            var recorded = Recorded()
            let input = InputOfRuns()
            for number in 1...scenario.repetitions where !SignalForwarding.wasAskedToEnd {
                if scenario.repetitions > 1, !isQuiet {
                    StandardError.say("\(scenario.name): run \(number) of \(scenario.repetitions)")
                }
                if scenario.repetitions > 1 { input.restart() }
                try run(program, number, settings, options, output, outputToError, into: &recorded)
            }
            return recorded
        }
    }

    private func read(_ paths: [String], _ options: ReportOptions, _ output: ReportOutput) throws -> Recorded {
        var recorded = Recorded()
        var known: Set<Instrument> = []
        let reports = try paths.enumerated().map { number, path in
            let report = try output.build(from: path, reportOptions: options) { recorded.types.add($0) }
            let instruments = Set(report.capture.instruments)
            guard known.isEmpty || !instruments.isSubset(of: known) else {
                throw ToolError(
                    .wrongUsage,
                    "\(path) records no instrument that another trace of the scenario \(scenario.name) lacks. It is "
                        + "another run, which must be checked separately.")
            }
            known.formUnion(instruments)
            return (word: number == 0 ? "" : "-\(number + 1)", report: report)
        }
        recorded.runs = [reports]
        return recorded
    }

    private func run(
        _ program: [String], _ repetition: Int, _ settings: CheckSettings, _ options: ReportOptions,
        _ output: ReportOutput, _ outputToError: Bool,
        into recorded: inout Recorded
    ) throws {
        let prefix = repetition == 1 ? "" : "-run-\(repetition)"
        var reports: [(word: String, report: Report)] = []
        for (number, instruments) in Budget.Scenario.runs(of: settings.instruments(for: scenario)).enumerated() {
            var session = RecordingSession(
                instruments: instruments, program: program, output: nil, isQuiet: output.files.isQuiet)
            (session.timeout, session.outputToError) = (scenario.timeout, outputToError)
            let outcome = try session.run()
            defer { outcome.removeIfTemporary() }
            var report = try ProcessReports(output: output)
                .build(from: outcome, reportOptions: options) { recorded.types.add($0) }
            // Behind a launcher it is the launcher's end that was asked for.
            report.target.exit = Report.Exit(outcome.exit)
            let word = number == 0 ? "" : "-" + instruments.map(\.rawValue).joined(separator: "-")
            reports.append((prefix + word, report))
            if outcome.hasTimedOut, let timeout = scenario.timeout {
                recorded.failures.append(
                    "The program ran longer than its timeout of \(NumberFormat.seconds(timeout)) and was ended.")
            }
        }
        recorded.runs.append(reports)
    }

    /// The scenario that the command line names, else the one of the recording's name, else the only one.
    private static func scenario(
        for name: String, _ settings: CheckSettings, only: String?
    ) throws -> Budget.Scenario {
        if let only { return try scenario(named: only, settings) }
        guard let scenarios = settings.budget?.scenarios else { return Budget.Scenario(name: name) }
        if let own = scenarios.first(where: { $0.name == name }) { return own }
        guard scenarios.count == 1 else {
            let names = scenarios.map(\.name).joined(separator: ", ")
            throw ToolError(.wrongUsage, "The budget has several scenarios; choose by --scenario: \(names).")
        }
        return scenarios[0]
    }

    private static func scenario(named name: String, _ settings: CheckSettings) throws -> Budget.Scenario {
        guard let scenarios = settings.budget?.scenarios else { return Budget.Scenario(name: name) }
        guard let found = scenarios.first(where: { $0.name == name }) else {
            let names = scenarios.map(\.name)
            let near = NearestName.of(name, among: names).map { "; did you mean \($0)? It has " } ?? "; it has "
            throw ToolError(
                .wrongUsage, "The budget has no scenario \(name)\(near)\(names.joined(separator: ", ")).")
        }
        return found
    }

    /// By its name or by its first bytes.
    static func isTrace(_ path: String) -> Bool {
        if path.hasSuffix(".gptrace") { return true }
        return RegularFile.prefix(path, count: 7) == Data("GPTRACE".utf8)
    }
}
