import Foundation
public import GameprofAnalysis
import GameprofBasics
import GameprofHeap
import GameprofReport
import GameprofTrace

/// What a recording shows: findings, allocations, the heap, time. `Documentation/report.schema.json` describes it.
public typealias Report = GameprofAnalysis.Report

extension Report {
    /// The report upon the trace at `path`, as `gameprof report` makes it. The recording may still be going on: then the
    /// report has what was recorded up to now.
    ///
    /// Costs time and memory in proportion to the blocks and events in the trace.
    /// - Throws: an error whose description is one sentence, where the file cannot be read or is no trace.
    public init(trace path: String) throws {
        let recording = try Recording.read(trace: path)
        let symbolicator = Symbolicator(recording: recording)
        self.init(ReportBuilder.build(recording: recording, symbolicator: symbolicator))
        capture.notes += symbolicator.problems
    }

    /// The report as text of so many columns. Ends with a newline and has no control characters.
    public func text(width: Int = 100) -> String { TextReport.render(self, style: TextStyle(width: width)) }

    /// The report as one page that needs no network, 2 MB at most. Reads the source files that stacks name.
    public func html() throws -> String { try HTMLReport.render(self) }

    /// The report as JSON (`Documentation/report.schema.json`). Equal reports are equal bytes.
    public func json() throws -> String { try JSONReport.render(self) }

    /// Writes the report to a file, which then holds the old content or all of the new one. What it is written as follows
    /// from the path's ending: `.html`, `.json`, else text. A new file is its user's alone, since reports hold arguments and
    /// paths; one that is there keeps its mode.
    /// - Throws: `WriteError`.
    public func write(to path: String) throws {
        let content =
            if path.hasSuffix(".html") { try html() } else if path.hasSuffix(".json") { try json() } else { text() }
        do { try OutputPlace.write(Array(content.utf8), to: path) } catch { throw WriteError(path, error.reason) }
    }
}

/// Why a report could not be written.
public struct WriteError: Error, CustomStringConvertible, Sendable {
    public let description: String

    init(_ path: String, _ reason: String) {
        description = "The report \(path) cannot be written: \(reason)."
    }
}
