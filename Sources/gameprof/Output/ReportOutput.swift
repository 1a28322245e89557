import Foundation
import Profiler

/// Writes the reports that were asked for.
struct ReportOutput {
    /// Name of the instrument in titles and default file names.
    var instrument: String
    var options: ReportFileOptions
    /// The page's path when no report file is named; nil: then there is no page.
    var defaultPage: String?
    /// Frames of the runtime are shown in a profile.
    var keepsRuntimeFrames = false

    init(instrument: String, options: ReportFileOptions, program: String?) {
        self.instrument = instrument
        self.options = options
        let namesNone = options.html == nil && options.json == nil && !options.text
        if namesNone, let program {
            defaultPage = "Reports/\(URL(fileURLWithPath: program).lastPathComponent)-\(instrument).html"
        }
    }

    /// Throws when a report could not be written where it should go: before any program is run.
    func check() throws {
        for path in [options.html, options.json].compactMap({ $0 }) where path != "-" { try AtomicFile.check(path) }
        _ = try options.readSuppressions()
        if let defaultPage { try AtomicFile.check(defaultPage, createsFolder: true) }
    }

    /// Reads the trace, makes its report and writes it. `amend` may add to the report before it is written.
    func make(from trace: String, amend: (inout Report) -> Void = { _ in }) throws -> Report {
        var report = try build(from: trace)
        amend(&report)
        try write(report)
        return report
    }

    /// Reads the trace and makes its report.
    func build(from trace: String, reportOptions: ReportOptions = ReportOptions()) throws -> Report {
        let progress = Progress("Reading the trace", isQuiet: options.quiet)
        let recording = try RecordingReader.read(path: trace) { progress.show($0) }
        progress.clear()
        let symbols = Progress("Naming functions", isQuiet: options.quiet)
        symbols.show(0)
        let symbolicator = Symbolicator(recording: recording)
        var reportOptions = reportOptions
        reportOptions.keepsRuntimeFrames = keepsRuntimeFrames
        reportOptions.suppressions = try options.readSuppressions()
        var report = ReportBuilder.build(recording: recording, symbolicator: symbolicator, options: reportOptions)
        report.capture.notes += symbolicator.problems
        symbols.clear()
        return report
    }

    func write(_ report: Report) throws {
        // A file that cannot be written keeps nobody from reading the text.
        var failure: ToolError?
        func write(_ text: String, to path: String) throws {
            do {
                try AtomicFile.write(text, to: path)
            } catch let error as ToolError where path != "-" {
                failure = failure ?? error
            }
        }
        if let json = options.json { try write(try JSONReport.render(report), to: json) }
        if let html = options.html ?? defaultPage { try write(try HTMLReport.render(report), to: html) }
        if options.text {
            let style = TextStyle.forOutput(descriptor: STDOUT_FILENO, allowColour: !options.noColor)
            try StandardOutput.write(TextReport.render(report, instrument: instrument, style: style) + "\n")
        } else if !options.quiet {
            let style = TextStyle.forOutput(descriptor: STDERR_FILENO, allowColour: !options.noColor)
            StandardError.write(TextReport.render(report, instrument: instrument, style: style) + "\n")
        }
        if let failure { throw failure }
        if let defaultPage, !options.quiet { StandardError.write("Report: \(defaultPage)\n") }
    }
}

extension Report {
    /// What the tool exits with after this report.
    var exitStatus: ExitStatus {
        if findings.contains(where: { $0.severity == .error }) { return .findings }
        let lacksHeap = heap == nil && capture.instruments.contains("leaks")
        let wasCutShort = target.exit?.signal != nil
        return lacksHeap || wasCutShort || capture.truncated || capture.dropped > 0 ? .toolFailed : .nothingFound
    }
}
