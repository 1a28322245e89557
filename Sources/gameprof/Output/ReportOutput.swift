import Foundation
import GameprofBasics
import GameprofHTMLRendering
import GameprofProfiler
import GameprofRecording
import GameprofRendering
import GameprofReportModel
import GameprofSymbolication
import GameprofTraceFile

/// Writes the reports that were asked for.
struct ReportOutput {
    /// Whose command it is, in titles and default file names; nil: no instrument's.
    var instrument: Instrument?
    var files: ReportFiles
    /// The page's path when no report file is named; nil: then there is no page.
    var defaultPage: String?
    /// Frames of the runtime are shown in a profile.
    var keepsRuntimeFrames = false
    /// Types whose living objects are shown in detail.
    var heapTypes: [String] = []
    /// Types of a live heap that have all about their objects in a page and in JSON.
    private static let heapDetailRows = 50
    /// Number of the heap's snapshot that is shown; nil: the one near the peak, else the last.
    var heapSnapshot: Int?
    /// Where symbols are looked for that the trace does not hold.
    var search = SymbolSearch()

    init(instrument: Instrument? = nil, files: ReportFiles, program: String? = nil) {
        self.instrument = instrument
        self.files = files
        let namesNone = files.html == nil && files.json == nil && !files.text
        if namesNone, let program, let instrument {
            let name = URL(fileURLWithPath: program).lastPathComponent
            defaultPage = "Reports/\(name)-\(instrument.rawValue).html"
        }
    }

    /// Throws when a report could not be written where it should go: before any program is run.
    func check() throws {
        for path in [files.html, files.json].compactMap({ $0 }) where path != "-" { try AtomicFile.check(path) }
        _ = try SuppressionFile.read(files.suppressions)
        if let defaultPage { try AtomicFile.check(defaultPage, createsFolder: true) }
    }

    /// Reads the trace, makes its report and writes it. `amend` may add to the report before it is written.
    func make(from trace: String, amend: (inout Report) -> Void = { _ in }) throws -> Report {
        var report = try build(from: trace)
        amend(&report)
        try write(report)
        return report
    }

    /// Reads the trace and makes its report. `inspect` sees the recording before.
    func build(
        from trace: String, reportOptions: ReportOptions = ReportOptions(), inspect: (Recording) -> Void = { _ in }
    ) throws -> Report {
        let progress = Progress("Reading the trace", isQuiet: files.isQuiet)
        let recording = try RecordingReader.read(path: trace) { progress.show($0) }
        progress.clear()
        inspect(recording)
        let symbols = Progress("Naming functions", isQuiet: files.isQuiet)
        symbols.show(0)
        let symbolicator = Symbolicator(recording: recording, search: search)
        var reportOptions = reportOptions
        reportOptions.keepsRuntimeFrames = keepsRuntimeFrames
        reportOptions.heapTypes = heapTypes
        if files.html != nil || files.json != nil || defaultPage != nil {
            reportOptions.heapDetailRows = Self.heapDetailRows
        }
        if let heapSnapshot { reportOptions.heapSnapshot = .number(heapSnapshot) }
        reportOptions.suppressions = try SuppressionFile.read(files.suppressions)
        var report = Report(
            ReportBuilder.build(recording: recording, symbolicator: symbolicator, options: reportOptions))
        report.capture.notes += symbolicator.problems
        symbols.clear()
        return report
    }

    func write(_ report: Report) throws {
        // A file that cannot be written does not suppress the text.
        var failure: ToolError?
        func write(_ text: String, to path: String) throws {
            do {
                try AtomicFile.write(text, to: path)
            } catch let error as ToolError where path != "-" {
                failure = failure ?? error
            }
        }
        if let json = files.json { try write(try JSONReport.render(report), to: json) }
        if let html = files.html ?? defaultPage {
            try write(
                try HTMLReport.render(report, options: PageOptions(editor: files.editor, index: files.index)), to: html)
        }
        if files.text {
            let style = TextStyle.forOutput(descriptor: STDOUT_FILENO, allowColour: files.allowsColour)
            try StandardOutput.write(TextReport.render(report, instrument: instrument, style: style) + "\n")
        } else if !files.isQuiet {
            let style = TextStyle.forOutput(descriptor: STDERR_FILENO, allowColour: files.allowsColour)
            StandardError.write(TextReport.render(report, instrument: instrument, style: style) + "\n")
        }
        if let failure { throw failure }
        if let defaultPage, !files.isQuiet { StandardError.write("Report: \(defaultPage)\n") }
    }
}

extension Report {
    /// What the tool exits with after this report.
    var exitStatus: ExitStatus {
        if findings.contains(where: { $0.severity == .error }) { return .findings }
        let lacksHeap = heap == nil && capture.instruments.contains(.leaks)
        // Whoever stops a program by SIGINT or SIGTERM has what was recorded until then.
        let wasCutShort = target.exit?.signal.map { !ProgramExitRecord.requests.contains(Int32($0)) } ?? false
        return lacksHeap || wasCutShort || capture.truncated || capture.dropped > 0 ? .toolFailed : .nothingFound
    }
}
