import GameprofAnalysis
import GameprofTrace

/// Joins traces and reports to one report.
struct ReportJoin {
    var inputs: [String]
    var files: ReportFiles
    var search: SymbolSearch

    /// Throws the exit status when it is not 0.
    func run() throws {
        var output = ReportOutput(files: files)
        output.search = search
        try output.check()
        let report = try MergedFiles(output: output).merge(inputs)
        try output.write(report)
        let status = report.exitStatus
        if status != .nothingFound { throw status }
    }
}
