import Foundation
import GameprofBasics
import GameprofCheck
import GameprofReport
import GameprofTrace

/// `gameprof diff BEFORE AFTER` of folders: the traces of each are runs of one program.
struct FolderDiff {
    private let folders: [String]
    private let traces: [[String]]

    /// Nil: neither is a folder.
    /// - Throws: `ToolError` when there are too few traces for a verdict, or one of the inputs does not exist.
    init?(_ inputs: [String]) throws {
        guard inputs.contains(where: Self.isFolder) else { return nil }
        folders = inputs
        traces = try inputs.map { path in
            guard Self.isFolder(path) else {
                guard FileManager.default.fileExists(atPath: path) else {
                    throw ToolError(.wrongUsage, "There is no file or folder \(path).")
                }
                return [path]
            }
            let names = Set(try FileManager.default.contentsOfDirectory(atPath: path))
            return names.filter { $0.hasSuffix(".gptrace") && !Self.isChild($0, among: names) }.sorted()
                .map { "\(path)/\($0)" }
        }
        guard let least = zip(inputs, traces).min(by: { $0.1.count < $1.1.count }), least.1.count < 4 else { return }
        throw ToolError(
            .wrongUsage,
            "\(least.0) has \(NumberFormat.count(least.1.count, "trace")). Fewer than four runs of each side cannot show "
                + "a difference.")
    }

    /// Whether it is the trace `game.1234.gptrace` of a child whose parent's stands beside it.
    private static func isChild(_ name: String, among names: Set<String>) -> Bool {
        name.wholeMatch(of: /(.+)\.\d+\.gptrace/).map { names.contains("\($0.1).gptrace") } ?? false
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// - Parameter compare: two traces, as reports and as what the page shows of them.
    func compare(
        _ files: ComparisonFileOptions, _ search: SymbolSearch, compare: (String, String) throws -> ComparedPair
    ) throws {
        var budgets: [String: UInt64] = [:]
        let runs = try traces.map { side in
            try side.map { RunFigures(try Recording.read(trace: $0, files: search.folders), budgets: &budgets) }
        }
        let comparison = RepeatedComparison(before: folders[0], after: folders[1], runs: (runs[0], runs[1]))
        guard let middle = comparison.middle else {
            throw ToolError(
                .wrongUsage, "The traces have no frames, CPU time or resident memory that all of them have.")
        }
        if let html = files.html {
            var pair = try compare(traces[0][middle.before], traces[1][middle.after])
            // One run each says less of these.
            (pair.report.frames, pair.report.figures) = (nil, [])
            let page = try ComparisonPage.render(pair.report, of: pair.recordings, runs: comparison.table)
            try AtomicFile.write(page, to: html)
        }
        if let json = files.json { try AtomicFile.write(try JSONReport.encode(comparison), to: json) }
        if files.printsText { try StandardOutput.write(comparison.text + "\n") }
        if comparison.isWorse { throw ExitStatus.findings }
    }
}
