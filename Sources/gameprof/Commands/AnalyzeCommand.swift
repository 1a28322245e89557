import ArgumentParser
import Foundation
import GameprofAnalysis
import GameprofCheck
import GameprofReport

struct AnalyzeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Find likely causes of retain cycles and over-releases in Swift sources.",
        usage: "gameprof analyze [options] PATH… [F.gptrace]",
        discussion: """
            Each static finding has a reason, a fix and what could not be determined. A recording confirms or \
            clears them. A comment // gameprof:ignore REASON suppresses the findings of a line.

            Results are cached, but not with GAMEPROF_ANALYZE_CACHE=none; GAMEPROF_ANALYZE_JOBS is the number of threads.

            Exit codes: 0 no finding of high confidence and none confirmed, 1 such a finding, 2 wrong usage or \
            unreadable input, 4 gameprof itself failed.
            """)

    @OptionGroup var options: StaticFindingOptions

    func run() throws {
        for path in [options.files.html, options.files.json, options.sarif].compactMap({ $0 }) + options.annotations
        where path != "-" {
            try AtomicFile.check(path)
        }
        let suppressions = try SuppressionFile.read(options.suppressions.path)
        var analysis = Analysis(try AnalyzerTool.run(options.analyzerArguments()))
        analysis.silence(suppressions)
        var report: Report?
        if let trace = options.sources.traces.first {
            let judged = try TraceJudgement.judge(
                analysis, trace: trace, suppressions: suppressions, isQuiet: options.printing.quiet)
            (analysis, report) = (judged.0, judged.1)
        }
        let shown = analysis.shown(from: options.filter.confidence)
        try write(analysis, shown, report)
        if !options.files.fixes.isEmpty {
            let isDryRun = options.files.fixes.contains(.show)
            let count = try StaticFindingFixes(entries: shown, isDryRun: isDryRun).run()
            if !options.printing.quiet {
                StandardError.say(isDryRun ? "Nothing was changed." : "\(count) files were changed.")
            }
        }
        if shown.contains(where: { $0.severity == .error }) { throw ExitStatus.findings }
    }

    private func write(_ analysis: Analysis, _ shown: [Analysis.Entry], _ report: Report?) throws {
        if let json = options.files.json { try AtomicFile.write(try AnalysisJSON.render(analysis), to: json) }
        let root = SourceRoot.find()
        if let sarif = options.sarif {
            let results = analysis.entries.filter { $0.silencedBy != nil || shown.contains($0) }
                .map { Diagnosis($0).relative(to: root) }
            try AtomicFile.write(
                try SARIFReport.render(results, rules: [], root: root, version: GameProf.toolVersion), to: sarif,
                isForOthers: true)
        }
        if let html = options.files.html, let report {
            let page = PageOptions(showsSources: options.files.sources.areShown)
            try AtomicFile.write(try HTMLReport.render(report, options: page), to: html)
        }
        for file in options.annotations {
            try AtomicFile.write(
                GitHubAnnotations.render(shown.map { Diagnosis($0).relative(to: root) }), to: file, isForOthers: true)
        }
        let printsText = options.files.json != "-" && options.sarif != "-" && !options.annotations.contains("-")
        if !options.printing.quiet, printsText {
            let style = TextStyle.forOutput(descriptor: STDOUT_FILENO, allowColour: !options.printing.noColor)
            try AtomicFile.write(
                StaticFindingText.render(analysis, confidence: options.filter.confidence, style: style), to: "-")
        }
    }
}
