import GameprofCheck
import GameprofReport

/// Joins the results of the parts of a check.
struct ResultJoin {
    var inputs: [String]
    /// Where the joined result goes beside `files`; nil: nowhere.
    var output: String?
    var files: ResultFiles

    /// Throws the exit status when it is not 0.
    func run() throws {
        let result: CheckResult
        do {
            result = try CheckResult(merging: try inputs.map(MergedFiles.checkResult))
        } catch let error as ResultMergeError {
            throw ToolError(.wrongUsage, error.description)
        }
        if let output { try AtomicFile.write(try CheckJSON.render(result), to: output) }
        try ResultOutput(files).write(result)
        if result.outcome != .passed { throw result.outcome == .failed ? ExitStatus.findings : .toolFailed }
    }
}
