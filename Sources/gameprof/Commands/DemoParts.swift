import ArgumentParser
import Foundation
import GameprofReport

/// The parts of the demonstration that are more than one run of one instrument.
struct DemoParts {
    let output: String
    /// Path of gamelab.
    let games: String
    /// Path of the animated game, which an installed tool has not.
    let animation: String
    /// The sources of gamelab's faults; nil: they are not there.
    let sources: String?

    static let names = ["animation", "check", "diff", "analysis"]

    /// The part of that name; nil where what it needs is missing.
    func entry(_ name: String) throws -> IndexPage.Entry? {
        switch name {
        case "animation": try animatedGame()
        case "check": try check()
        case "diff": try comparison()
        default: try analysis()
        }
    }

    /// A check whose budget one scenario keeps, whose baseline accepts another, and which the third fails.
    private func check() throws -> IndexPage.Entry {
        let title = "gameprof check --budget budget.yml --baseline baseline.json --reports check"
        StandardError.write("\n$ \(title)\n")
        let (budget, baseline) = ("\(output)/budget.yml", "\(output)/baseline.json")
        let scenarios = [
            ("play", ["play", "both", "--games", "5"], "peak: 1 MB"),
            ("undo-cycle", ["fault", "undo-cycle"], "leaks: 0"),
            ("malloc-leak", ["fault", "malloc-leak"], "leaks: 0"),
        ]
        let lines = scenarios.map { name, arguments, limit in
            let words = ([games] + arguments).map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
            return "  \(name):\n    run: [\(words)]\n    \(limit)\n"
        }
        try AtomicFile.write("version: 1\nscenarios:\n" + lines.joined(), to: budget, needsFile: true)
        try? FileManager.default.removeItem(atPath: baseline)
        let files = ["--budget", budget, "--baseline", baseline, "--quiet"]
        try perform(CheckCommand.self, files + ["--scenario", "undo-cycle", "--update-baseline"])
        try perform(CheckCommand.self, files + ["--reports", "\(output)/check"])
        return IndexPage.Entry(
            title: title,
            summary:
                "For continuous integration: games within their budget, a leak that the baseline accepts, and a new "
                + "one that fails.", page: "check/index.html")
    }

    /// Two recordings, the first with a fault that the second has no more.
    private func comparison() throws -> IndexPage.Entry {
        let title = "gameprof diff before.gptrace after.gptrace"
        StandardError.write("\n$ \(title)\n")
        let faults = [["malloc-leak", "undo-cycle", "compute-sum"], ["malloc-leak", "compute-sum"]]
        var traces: [String] = []
        for (name, faults) in zip(["before", "after"], faults) {
            traces.append("\(output)/\(name).gptrace")
            try perform(
                RecordCommand.self,
                [
                    "--instruments", "leaks,allocations,time", "--output", traces[traces.count - 1], "--quiet", "--",
                    games, "fault", "--presses", "13",
                ]
                    + faults)
        }
        try perform(DiffCommand.self, traces + ["--html", "\(output)/diff.html"])
        for trace in traces { try FileManager.default.removeItem(atPath: trace) }
        return IndexPage.Entry(
            title: title,
            summary: "Before and after the fix of one of two leaks: what is gone, what is left, and what is noise.",
            page: "diff.html")
    }

    /// Frames, probes and waits of an animation; nil where its program is not there.
    private func animatedGame() throws -> IndexPage.Entry? {
        guard FileManager.default.isExecutableFile(atPath: animation) else {
            StandardError.write("\nThe animation is left out: AnimatedGame is not beside gameprof.\n")
            return nil
        }
        let title = "gameprof record --instruments time,allocations --wall -- AnimatedGame 120"
        StandardError.write("\n$ \(title)\n")
        let (trace, page) = ("\(output)/animation.gptrace", "animation.html")
        try perform(
            RecordCommand.self,
            [
                "--instruments", "time,allocations", "--wall", "--output", trace, "--quiet", "--", animation, "120",
            ])
        let files = ReportFiles(html: "\(output)/\(page)", index: "index.html", isQuiet: true)
        let report = try ReportOutput(files: files).make(from: trace)
        try FileManager.default.removeItem(atPath: trace)
        return IndexPage.Entry(
            title: title,
            summary:
                "Sixty frames a second, of which every 24th waits for a picture: frames, probes, waits and memory.",
            page: page, report: report)
    }

    /// Static findings beside those of a run; nil where the analyzer or the sources are missing.
    private func analysis() throws -> IndexPage.Entry? {
        guard let sources, (try? CompanionTool.analyzer.find()) != nil else {
            StandardError.write("\nThe static analysis is left out: `make analyzer` builds it.\n")
            return nil
        }
        let title = "gameprof analyze Sources undo-cycle.gptrace --html analysis.html"
        StandardError.write("\n$ \(title)\n")
        let trace = "\(output)/undo-cycle.gptrace"
        try perform(
            RecordCommand.self,
            ["--instruments", "leaks,allocations", "--output", trace, "--quiet", "--", games, "fault", "undo-cycle"])
        try perform(
            AnalyzeCommand.self,
            [sources, trace, "--html", "\(output)/analysis.html", "--index-store=none", "--quiet"])
        try FileManager.default.removeItem(atPath: trace)
        return IndexPage.Entry(
            title: title, summary: "The line of the source that makes the cycle, confirmed by a run.",
            page: "analysis.html")
    }

    /// What was found is no failure here.
    private func perform<Command: ParsableCommand>(_ type: Command.Type, _ arguments: [String]) throws {
        var command = try type.parse(arguments)
        do {
            try command.run()
        } catch let status as ExitStatus where status == .findings {
            return
        }
    }
}
