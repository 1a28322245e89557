import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofHeap
import GameprofReport
import GameprofTrace

/// Joins suspects with a recording.
enum TraceJudgement {
    /// Stacks of the recording that are named, to see what was executed.
    private static let stackLimit = 20_000

    /// The analysis with verdicts, and the recording's report with the suspects beside its findings.
    static func judge(_ analysis: Analysis, trace: String, suppressions: [Suppression], isQuiet: Bool) throws -> (
        Analysis, Report
    ) {
        let progress = Progress("Reading the trace", isQuiet: isQuiet)
        let recording = try Recording.read(trace: trace) { progress.show($0) }
        progress.clear()
        let symbolicator = Symbolicator(recording: recording)
        var options = ReportOptions()
        options.allocationRows = stackLimit
        options.suppressions = suppressions
        var report = Report(
            ReportBuilder.build(recording: recording, symbolicator: symbolicator, options: options))
        report.capture.notes += symbolicator.problems
        let judged = analysis.judged(by: StaticFindingJoin(report: report).evidence, of: report)
        StaticFindingsBesideFindings.add(judged, to: &report) { path in
            RegularFile.contents(path).map { Array($0) }
        }
        return (judged, report)
    }
}
