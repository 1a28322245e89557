import ArgumentParser
import Foundation
import Profiler

struct AnalyzeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Look for causes of retain cycles, over-releases and growth in Swift sources, before anything runs.",
        usage: "gameprof analyze [options] PATH…",
        discussion: """
            Suspects are suspicion, each with its reason, its fix and what could not be known. With --trace a recording \
            says which it confirms and which it clears. A comment // gameprof:ignore REASON silences a line.

            Exit codes: 0 no suspect of high confidence and none confirmed, 1 such a suspect, 2 wrong usage or \
            unreadable input, 4 gameprof itself failed.
            """)

    @OptionGroup var options: SuspectOptions

    func run() throws {
        for path in [options.html, options.json, options.sarif].compactMap({ $0 }) where path != "-" {
            try AtomicFile.check(path)
        }
        let suppressions = try readSuppressions()
        var analysis = Analysis(try AnalyzerTool.run(options.analyzerArguments))
        analysis.silence(suppressions)
        var report: Report?
        if let trace = options.trace {
            let judged = try TraceJudgement.judge(
                analysis, trace: trace, suppressions: suppressions, isQuiet: options.quiet)
            (analysis, report) = (judged.0, judged.1)
        }
        let shown = analysis.shown(from: options.confidence)
        try write(analysis, shown, report)
        if options.fix {
            let count = try SuspectFixes(entries: shown, isDryRun: options.dryRun).run()
            if !options.quiet {
                StandardError.say(options.dryRun ? "Nothing was changed." : "\(count) files were changed.")
            }
        }
        if shown.contains(where: { $0.severity == .error }) { throw ExitStatus.findings }
    }

    private func readSuppressions() throws -> [Suppression] {
        guard let file = options.suppressions else { return [] }
        var reading = try ReportFileOptions.parse([])
        reading.suppressions = file
        return try reading.readSuppressions()
    }

    private func write(_ analysis: Analysis, _ shown: [Analysis.Entry], _ report: Report?) throws {
        if let json = options.json { try AtomicFile.write(try AnalysisJSON.render(analysis), to: json) }
        if let sarif = options.sarif {
            let results = analysis.entries.filter { $0.silencedBy != nil || shown.contains($0) }.map { Diagnosis($0) }
            let root = FileManager.default.currentDirectoryPath
            try AtomicFile.write(
                try SARIFReport.render(results, rules: [], root: root, version: GameProf.toolVersion), to: sarif)
        }
        if let html = options.html, let report { try AtomicFile.write(try HTMLReport.render(report), to: html) }
        if options.github { try AtomicFile.write(GitHubAnnotations.render(shown.map { Diagnosis($0) }), to: "-") }
        let printsText = options.json != "-" && options.sarif != "-" && !options.github
        if !options.quiet, printsText {
            let style = TextStyle.forOutput(descriptor: STDOUT_FILENO, allowColour: !options.noColor)
            try AtomicFile.write(SuspectText.render(analysis, confidence: options.confidence, style: style), to: "-")
        }
    }
}
