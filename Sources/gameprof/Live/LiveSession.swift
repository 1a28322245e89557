import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofReport
import GameprofTrace

/// Records a program, again where that is asked for, and shows it while it runs and the report when it has ended.
final class LiveSession {
    private let recorder: any LiveRecorder
    private let board: LiveBoard
    private let output: ReportOutput
    private let waits: Bool
    private var former: (recording: Recording, outcome: LiveOutcome)?
    private var status = ExitStatus.nothingFound

    /// How long a browser has to take the report when the tool does not wait, in steps of 50 ms.
    private static let stepsToBeSeen = 60

    /// - Parameter waits: the report is shown until somebody ends the tool.
    init(_ recorder: any LiveRecorder, _ board: LiveBoard, _ output: ReportOutput, waits: Bool) {
        (self.recorder, self.board, self.output, self.waits) = (recorder, board, output, waits)
    }

    /// - Returns: what the tool exits with.
    func run() throws -> ExitStatus {
        defer { former?.outcome.remove() }
        while true {
            SignalForwarding.forgetRequests()
            Interruption.forgetRequests()
            var wasTerminated = false
            do {
                try recordOnce(&wasTerminated)
            } catch let error as ToolError {
                // The first run has nothing to show: the tool ends as other commands do.
                guard former != nil else { throw error }
                StandardError.say(error.description)
                board.end(error.description, page: nil, comparison: nil)
                status = error.status
            }
            guard try staysOpen(wasTerminated) else { return status }
        }
    }

    /// Whether the program is to be recorded again.
    private func staysOpen(_ wasTerminated: Bool) throws -> Bool {
        if board.wantsAgain, !wasTerminated { return true }
        guard waits, !wasTerminated, !SignalForwarding.wasAskedToEnd else {
            // Who looks at the page gets the report, which is then there without the tool.
            var steps = Self.stepsToBeSeen
            while steps > 0, board.isWaitedFor, !SignalForwarding.wasAskedToEnd {
                usleep(50_000)
                steps -= 1
            }
            return false
        }
        if !output.files.isQuiet { StandardError.say("The page shows the report until Ctrl-C.") }
        let signals = SignalForwarding.begin()
        SignalForwarding.unblockRequests()
        defer { signals.end() }
        while !SignalForwarding.wasAskedToEnd, !board.wantsEnd {
            if board.wantsAgain { return true }
            usleep(50_000)
        }
        // The browser takes the answer to its button.
        usleep(100_000)
        return false
    }

    private func recordOnce(_ wasTerminated: inout Bool) throws {
        let run = recorder.makeRun()
        board.begin(run, recorder.sentence)
        let outcome: LiveOutcome
        do {
            outcome = try recorder.record(run) { [board] in
                board.finish("The program has ended; the report is being made.")
            }
        } catch {
            wasTerminated = SignalForwarding.wasTerminated
            throw error
        }
        wasTerminated = SignalForwarding.wasTerminated
        SignalForwarding.forgetRequests()
        do {
            try show(outcome)
        } catch {
            outcome.remove()
            throw error
        }
    }

    private func show(_ outcome: LiveOutcome) throws {
        var seen: Recording?
        var report = try output.build(from: outcome.trace) { seen = $0 }
        outcome.amend(&report)
        try output.write(report)
        status = outcome.propagated ?? report.exitStatus
        let page = try HTMLReport.render(report, options: output.pageOptions(index: nil))
        let comparison = try seen.flatMap { try compare(with: $0) }
        board.end(outcome.sentence, page: page, comparison: comparison)
        outcome.settle()
        former?.outcome.remove()
        former = seen.map { ($0, outcome) }
    }

    /// The page that compares a run with the one before; nil: there was none.
    private func compare(with recording: Recording) throws -> String? {
        guard let former else { return nil }
        let names = [former.recording, recording].map { Symbolicator(recording: $0, search: output.search) }
        var report = ComparisonReport(before: (former.recording, names[0]), after: (recording, names[1]))
        let reports = zip([former.recording, recording], names).map { recording, names in
            Report(ReportBuilder.build(recording: recording, symbolicator: names, options: ReportOptions()))
        }
        report.leaks = [ComparisonReport.FindingRow](before: reports[0], after: reports[1])
        return report.isEmpty ? nil : try ComparisonPage.render(report)
    }
}

/// What a run has left.
struct LiveOutcome {
    var trace: String
    /// How it ended.
    var sentence: String
    /// What the tool exits with instead of by what was found; nil: it does not.
    var propagated: ExitStatus?
    /// Says in a report of it what was not recorded.
    var amend: (inout Report) -> Void = { _ in }
    /// Signals are no more for the trace that is read.
    var settle: () -> Void = {}
    /// Removes the trace where it is kept nowhere.
    var remove: () -> Void = {}
}

extension LiveOutcome {
    /// Where the trace of a run is kept; that of the first has the name that was asked for: `game.gptrace`, `game.2.gptrace`.
    static func path(_ output: String, ofRun run: Int) -> String {
        let suffix = ".gptrace"
        guard run > 1 else { return output }
        return output.hasSuffix(suffix) ? "\(output.dropLast(suffix.count)).\(run)\(suffix)" : "\(output).\(run)"
    }
}

/// Records what the page shows.
protocol LiveRecorder {
    /// What is shown while it runs.
    var sentence: String { get }
    func makeRun() -> LiveRun
    /// Returns when the recording has ended. `whenEnded`: the program has, and its trace is being finished.
    func record(_ run: LiveRun, whenEnded: @escaping () -> Void) throws -> LiveOutcome
}
