import GameprofAnalysis

/// The analyzer, which is a program of its own: its parser takes minutes to build.
enum AnalyzerTool {
    /// Runs it on paths and reads what it prints.
    static func run(_ arguments: [String]) throws -> StaticFindingList {
        let result = try CompanionTool.analyzer.run(arguments)
        guard result.code == 0 else {
            // It has said why on standard error.
            throw result.code == 2 ? ExitStatus.wrongUsage : ExitStatus.toolFailed
        }
        do {
            return try StaticFindingListReader.read(result.output)
        } catch {
            throw ToolError(.toolFailed, "\(error)")
        }
    }
}
