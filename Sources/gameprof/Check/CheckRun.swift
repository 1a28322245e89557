import Foundation
import Profiler
import TraceFile

/// One recording to judge: a trace that is there, or a program to be run.
struct CheckRun {
    enum Source {
        /// Of the same scenario, with different instruments.
        case traces([String])
        case program([String])
    }

    var scenario: Budget.Scenario
    var source: Source

    /// What the command line and the budget ask for. `only`: the scenario that the command line names.
    static func plan(inputs: [String], settings: CheckSettings, only: String?) throws -> [CheckRun] {
        guard let first = inputs.first else {
            let scenarios = try only.map { [try scenario(named: $0, settings)] } ?? settings.budget?.scenarios ?? []
            let runs = scenarios.filter { !$0.program.isEmpty || only != nil }
            guard !runs.isEmpty else {
                throw ToolError(.wrongUsage, "No scenario of the budget names its program: write run: …, or name one.")
            }
            return try runs.map { scenario in
                guard let program = scenario.program.first else {
                    throw ToolError(.wrongUsage, "The scenario \(scenario.name) names no program: name one after --.")
                }
                _ = try ProgramFile.find(program, environment: ProcessInfo.processInfo.environment)
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

    /// The reports of its recordings, with a word for each; no type and no function is left out.
    func reports(settings: CheckSettings, isQuiet: Bool) throws -> [(word: String, report: Report)] {
        var options = ReportOptions()
        options.typeRows = 1_000_000
        options.functionRows = 1_000_000
        options.suppressions = settings.suppressions
        let files = try ReportFileOptions.parse(isQuiet ? ["--quiet"] : [])
        let output = ReportOutput(instrument: "check", options: files, program: nil)
        switch source {
        case .traces(let paths):
            var known: Set<String> = []
            return try paths.enumerated().map { number, path in
                let report = try output.build(from: path, reportOptions: options)
                let instruments = Set(report.capture.instruments)
                guard known.isEmpty || !instruments.isSubset(of: known) else {
                    throw ToolError(
                        .wrongUsage,
                        "\(path) has no instrument that another trace of the scenario \(scenario.name) lacks: it is "
                            + "another run, to be checked by itself.")
                }
                known.formUnion(instruments)
                return (number == 0 ? "" : "-\(number + 1)", report)
            }
        case .program(let program):
            let runs = Budget.Scenario.runs(of: settings.instruments(for: scenario))
            return try runs.enumerated().map { number, instruments in
                let session = RecordingSession(
                    instruments: instruments.joined(separator: ","), program: program, output: nil, isQuiet: isQuiet)
                let outcome = try session.run()
                defer { outcome.removeIfTemporary() }
                var report = try ProcessReports(output: output).build(from: outcome, reportOptions: options)
                // Behind a launcher it is the launcher's end that was asked for.
                report.target.exit = Report.Exit(outcome.exit)
                return (number == 0 ? "" : "-" + instruments.joined(separator: "-"), report)
            }
        }
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
            let names = scenarios.map(\.name).joined(separator: ", ")
            throw ToolError(.wrongUsage, "The budget has no scenario \(name); it has \(names).")
        }
        return found
    }

    /// By its name or by its first bytes.
    static func isTrace(_ path: String) -> Bool {
        if path.hasSuffix(".gptrace") { return true }
        guard let file = FileHandle(forReadingAtPath: path), let start = try? file.read(upToCount: 7) else {
            return false
        }
        return start == Data("GPTRACE".utf8)
    }
}
