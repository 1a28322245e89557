import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofCheck
import GameprofReport
import GameprofTrace

/// `gameprof diff --repeat N -- A … -- B …`: runs both programs in turn under the recorder.
struct RepeatedDiff {
    private let programs: [[String]]
    private let runs: Int

    /// - Throws: `ToolError` when there are not two programs, or the number is none.
    init(_ words: [String], runs: Int) throws {
        programs = words.split(separator: "--", omittingEmptySubsequences: false).map(Array.init)
        self.runs = runs
        guard programs.count == 2, programs.allSatisfy({ !$0.isEmpty }) else {
            throw ToolError(
                .wrongUsage, "--repeat compares two programs: gameprof diff --repeat 5 -- PROGRAM_A … -- PROGRAM_B …")
        }
        // Of three runs each, all of one below all of the other, chance alone makes one in ten.
        guard (4...1_000).contains(runs) else {
            throw ToolError(.wrongUsage, "--repeat takes a number from 4 to 1000; fewer runs cannot show a difference.")
        }
    }

    /// The programs have standard output: the comparison goes to standard error.
    func compare(_ files: ComparisonFileOptions) throws {
        let json = files.json
        let environment = ProcessInfo.processInfo.environment
        for program in programs { _ = try ProgramFile.find(program[0], environment: environment) }
        for path in [files.html, json].compactMap({ $0 }) where path != "-" { try AtomicFile.check(path) }
        let input = InputOfRuns()
        var measured: [[RunFigures]] = [[], []]
        var budgets: [String: UInt64] = [:]
        for number in 1...runs {
            for (place, program) in programs.enumerated() {
                input.restart()
                measured[place].append(
                    try run(program, number, &budgets, outputToError: [json, files.html].contains("-")))
            }
        }
        let comparison = RepeatedComparison(
            before: programs[0].joined(separator: " "), after: programs[1].joined(separator: " "),
            runs: (measured[0], measured[1]))
        if let html = files.html {
            let report = ComparisonReport(before: comparison.before, after: comparison.after)
            try AtomicFile.write(try ComparisonPage.render(report, runs: comparison.table), to: html)
        }
        if let json { try AtomicFile.write(try JSONReport.encode(comparison), to: json) }
        StandardError.write(comparison.text + "\n")
        if comparison.isWorse { throw ExitStatus.findings }
    }

    private func run(
        _ program: [String], _ number: Int, _ budgets: inout [String: UInt64], outputToError: Bool
    ) throws -> RunFigures {
        var session = RecordingSession(instruments: [.time], program: program, isQuiet: true)
        (session.following, session.outputToError) = (.none, outputToError)
        let outcome = try session.run()
        defer { outcome.removeIfTemporary() }
        guard case .code = outcome.exit.status, !outcome.isCutShort, !SignalForwarding.wasAskedToEnd else {
            throw ToolError(
                .toolFailed,
                "Run \(number) of \(program[0]) did not reach its exit, so CPU time and memory were not compared.")
        }
        guard outcome.exit.shellStatus == .nothingFound else {
            throw ToolError(
                .toolFailed,
                "Run \(number) of \(program[0]) failed (exit code \(outcome.exit.shellStatus.code)): CPU time and memory "
                    + "were not compared.")
        }
        var figures = RunFigures(try RecordingReader.read(path: outcome.main.trace), budgets: &budgets)
        figures.cpu = Double(outcome.used.cpu)
        figures.resident = outcome.used.resident.map { Double($0) } ?? figures.resident
        return figures
    }
}
