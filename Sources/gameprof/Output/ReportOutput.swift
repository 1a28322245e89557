import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofHeap
import GameprofReport
import GameprofTrace

/// Writes the reports that were asked for.
struct ReportOutput {
    /// Whose command it is, in titles and default file names; nil: no instrument's.
    var instrument: Instrument?
    var files: ReportFiles
    /// The name of the page that is written when no report file is named; nil: then there is none.
    private(set) var defaultPage: String?
    /// The report begins with resident memory.
    var explainsFootprint = false
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
    /// What is known of the symbols of other recordings of the same run; nil: there are none.
    var symbols: SymbolCache?

    /// - Parameter page: the name of that page, where it is no instrument's.
    init(
        instrument: Instrument? = nil, files: ReportFiles, program: String? = nil, explainsFootprint: Bool = false,
        page: String? = nil
    ) {
        self.instrument = instrument
        self.files = files
        self.explainsFootprint = explainsFootprint
        let namesNone = files.html == nil && files.json == nil && !files.text
        if namesNone { defaultPage = page }
        if namesNone, let program, let instrument {
            let name = URL(fileURLWithPath: program).lastPathComponent
            defaultPage = "\(name)-\(explainsFootprint ? "footprint" : instrument.rawValue).html"
        }
    }

    /// Throws when a report could not be written where it should go: before any program is run.
    func check() throws {
        for path in [files.html, files.json].compactMap({ $0 }) where path != "-" { try AtomicFile.check(path) }
        _ = try SuppressionFile.read(files.suppressions)
    }

    /// Where the page goes when no report file is named: to the folder Reports, and where that cannot be written to a private
    /// one among the temporary files. Nil: no page, or no place for it. The text is the report then.
    func placeOfDefaultPage() -> String? {
        guard let defaultPage else { return nil }
        do {
            let path = "Reports/\(defaultPage)"
            try AtomicFile.check(path, createsFolder: true, needsFile: true)
            return path
        } catch {
            StandardError.say("\(error)")
            guard let folder = PrivateFolder(temporaryFor: "report") else { return nil }
            return "\(folder.path)/\(defaultPage)"
        }
    }

    /// Begins what a page needs that does not depend on the trace.
    func prepare() {
        if files.html != nil || defaultPage != nil { PageTemplates.prepare() }
    }

    /// Reads the trace, makes its report and writes it.
    func make(from trace: String) throws -> Report {
        let report = try build(from: trace)
        try write(report)
        return report
    }

    /// Reads the trace and makes its report. `inspect` sees the recording before.
    func build(
        from trace: String, reportOptions: ReportOptions = ReportOptions(), inspect: (Recording) -> Void = { _ in }
    ) throws -> Report {
        let progress = Progress("Reading the trace", isQuiet: files.isQuiet)
        defer { progress.clear() }
        let recording = try MemoryLimit.reading { room in
            try Recording.read(
                trace: trace, graphs: .ofReport(number: heapSnapshot), room: room, files: search.folders
            ) {
                progress.show($0)
            }
        }
        progress.clear()
        inspect(recording)
        return try build(from: recording, reportOptions: reportOptions)
    }

    /// Makes the report of a recording.
    func build(from recording: Recording, reportOptions: ReportOptions = ReportOptions()) throws -> Report {
        let symbolicator = Symbolicator(recording: recording, search: search, cache: symbols)
        var reportOptions = reportOptions
        reportOptions.keepsRuntimeFrames = keepsRuntimeFrames
        reportOptions.heapTypes = heapTypes
        reportOptions.showsLivingHeap = instrument == .heap
        if files.html != nil || files.json != nil || defaultPage != nil {
            reportOptions.heapDetailRows = Self.heapDetailRows
        }
        if let heapSnapshot { reportOptions.heapSnapshot = .number(heapSnapshot) }
        reportOptions.suppressions = try SuppressionFile.read(files.suppressions)
        let analysis = Progress("Analysing the recording", isQuiet: files.isQuiet)
        var report = Report(
            ReportBuilder.build(recording: recording, symbolicator: symbolicator, options: reportOptions) {
                analysis.show($0)
            })
        report.capture.notes += symbolicator.problems
        if let heap = report.liveHeap {
            let answered = Set((heap.details ?? []).map(\.asked) + (report.why ?? []).map(\.asked))
            report.capture.notes += Set(heapTypes).subtracting(answered).sorted().map {
                "No live object has a type that matches \($0)."
            }
        }
        analysis.clear()
        return report
    }

    /// Prints where the default page is: of one in an unusual place always.
    func announce(_ page: String?) {
        guard let page, !files.isQuiet || page.hasPrefix("/") else { return }
        StandardError.write("Report: \(page)\n")
    }

    func text(_ report: Report, style: TextStyle) -> String {
        TextReport.render(report, instrument: instrument, style: style, explainsFootprint: explainsFootprint)
    }

    func pageOptions(index: String?) -> PageOptions {
        PageOptions(
            editor: files.editor, index: index, showsSources: files.showsSources, explainsFootprint: explainsFootprint)
    }

    func write(_ report: Report) throws {
        // A file that cannot be written does not suppress the text.
        var failure: ToolError?
        func write(_ text: String, to path: String, needsFile: Bool = false) throws {
            do {
                try AtomicFile.write(text, to: path, needsFile: needsFile)
            } catch let error as ToolError where path != "-" {
                failure = failure ?? error
            }
        }
        if let json = files.json { try write(try ReportJSON.render(report), to: json) }
        let page = placeOfDefaultPage()
        if let html = files.html ?? page {
            try write(
                try HTMLReport.render(report, options: pageOptions(index: files.index)), to: html,
                needsFile: files.html == nil)
        }
        if files.text {
            let style = TextStyle.forOutput(descriptor: STDOUT_FILENO, allowColour: files.allowsColour)
            try StandardOutput.write(text(report, style: style) + "\n")
        } else if !files.isQuiet {
            let style = TextStyle.forOutput(descriptor: STDERR_FILENO, allowColour: files.allowsColour)
            StandardError.write(text(report, style: style) + "\n")
        }
        if let failure { throw failure }
        announce(page)
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
