import Foundation
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

    /// What a run used.
    private struct Run {
        /// Nanoseconds.
        var cpu: Double
        /// Bytes.
        var resident: Double
    }

    /// The programs have standard output: the comparison goes to standard error.
    func compare(json: String?) throws {
        let environment = ProcessInfo.processInfo.environment
        for program in programs { _ = try ProgramFile.find(program[0], environment: environment) }
        if let json, json != "-" { try AtomicFile.check(json) }
        let input = InputOfRuns()
        var measured: [[Run]] = [[], []]
        for number in 1...runs {
            for (place, program) in programs.enumerated() {
                input.restart()
                measured[place].append(try run(program, number, outputToError: json == "-"))
            }
        }
        func figure(
            _ name: RepeatedComparison.Figure.Name, _ unit: MeasureUnit, _ value: (Run) -> Double
        ) -> RepeatedComparison.Figure? {
            RepeatedComparison.Figure(
                name, unit: unit, before: measured[0].map(value), after: measured[1].map(value))
        }
        let comparison = RepeatedComparison(
            before: programs[0].joined(separator: " "), after: programs[1].joined(separator: " "), runs: runs,
            figures: [figure(.cpu, .nanoseconds) { $0.cpu }, figure(.resident, .bytes) { $0.resident }]
                .compactMap { $0 })
        if let json { try AtomicFile.write(try JSONReport.encode(comparison), to: json) }
        StandardError.write(comparison.text + "\n")
        if comparison.figures.contains(where: { $0.verdict == .worse }) { throw ExitStatus.findings }
    }

    private func run(_ program: [String], _ number: Int, outputToError: Bool) throws -> Run {
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
        let recorded = try RecordingReader.read(path: outcome.main.trace).residentMemory.peak
        return Run(cpu: Double(outcome.used.cpu), resident: Double(outcome.used.resident ?? recorded))
    }
}
