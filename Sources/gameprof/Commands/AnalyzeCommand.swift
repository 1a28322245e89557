import ArgumentParser
import Foundation
import GameprofHTMLRendering
import GameprofProfiler
import GameprofRendering
import GameprofReportModel
import GameprofResults

struct AnalyzeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Find likely causes of retain cycles, over-releases and growth in Swift sources.",
        usage: "gameprof analyze [options] PATH…",
        discussion: """
            Each static finding has a reason, a fix and what could not be determined. With --trace a recording \
            confirms or clears them. A comment // gameprof:ignore REASON suppresses the findings of a line.

            Exit codes: 0 no finding of high confidence and none confirmed, 1 such a finding, 2 wrong usage or \
            unreadable input, 4 gameprof itself failed.
            """)

    @OptionGroup var options: StaticFindingOptions

    func run() throws {
        for path in [options.html, options.json, options.sarif].compactMap({ $0 }) where path != "-" {
            try AtomicFile.check(path)
        }
        let suppressions = try SuppressionFile.read(options.suppressions)
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
            let count = try StaticFindingFixes(entries: shown, isDryRun: options.dryRun).run()
            if !options.quiet {
                StandardError.say(options.dryRun ? "Nothing was changed." : "\(count) files were changed.")
            }
        }
        if shown.contains(where: { $0.severity == .error }) { throw ExitStatus.findings }
    }

    private func write(_ analysis: Analysis, _ shown: [Analysis.Entry], _ report: Report?) throws {
        if let json = options.json { try AtomicFile.write(try AnalysisJSON.render(analysis), to: json) }
        let root = SourceRoot.find()
        if let sarif = options.sarif {
            let results = analysis.entries.filter { $0.silencedBy != nil || shown.contains($0) }
                .map { Diagnosis($0).relative(to: root) }
            try AtomicFile.write(
                try SARIFReport.render(results, rules: [], root: root, version: GameProf.toolVersion), to: sarif)
        }
        if let html = options.html, let report { try AtomicFile.write(try HTMLReport.render(report), to: html) }
        if options.github {
            try AtomicFile.write(GitHubAnnotations.render(shown.map { Diagnosis($0).relative(to: root) }), to: "-")
        }
        let printsText = options.json != "-" && options.sarif != "-" && !options.github
        if !options.quiet, printsText {
            let style = TextStyle.forOutput(descriptor: STDOUT_FILENO, allowColour: !options.noColor)
            try AtomicFile.write(
                StaticFindingText.render(analysis, confidence: options.confidence, style: style), to: "-")
        }
    }
}
