import ArgumentParser
import Foundation
import Profiler

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Record the book's games and faults, and list the reports on one page.",
        discussion: "Plays `gamelab`, which stands beside gameprof, and writes index.html and a page for each run.")

    @Option(name: .long, help: ArgumentHelp("The folder for the reports.", valueName: "folder"))
    var output = "Reports/demo"

    func run() throws {
        let games = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "gamelab").path
        _ = try ProgramFile.find(games, environment: ProcessInfo.processInfo.environment)
        let index = "\(output)/index.html"
        try AtomicFile.check(index, createsFolder: true)
        var entries: [IndexPage.Entry] = []
        for scene in DemoScene.all {
            let title = "gameprof \(scene.instrument) -- gamelab \(scene.arguments.joined(separator: " "))"
            StandardError.write("\n$ \(title)\n")
            let page = "\(scene.name).html"
            let options = try ReportFileOptions.parse(["--html", "\(output)/\(page)"])
            let run = InstrumentRun(
                instrument: scene.instrument, instruments: scene.instruments,
                program: try ProgramOptions.parse(["--", games] + scene.arguments), report: options)
            let report = try run.perform().report
            entries.append(.init(title: title, summary: scene.summary, page: page, report: report))
            if !scene.isAsExpected(report) {
                throw ToolError(.toolFailed, "\(title) did not show what it is there to show.")
            }
        }
        try AtomicFile.write(
            try IndexPage.render(title: "The book's games and their faults", entries: entries), to: index)
        StandardError.write("\nEvery report: \(index)\n")
    }
}

/// One run of the demonstration, and what it is there to show.
struct DemoScene {
    var name: String
    var arguments: [String]
    var instrument = "leaks"
    var summary: String
    /// The kind of its worst finding; nil: nothing is to be found.
    var finding: Finding.Kind?

    var instruments: String { instrument == "leaks" ? "allocations,leaks" : instrument }

    func isAsExpected(_ report: Report) -> Bool {
        let findings = report.findings.filter { $0.severity != .note }
        guard let finding else { return findings.isEmpty }
        return findings.contains { $0.kind == finding }
    }

    static let all = [
        DemoScene(
            name: "play", arguments: ["play", "both", "--games", "5", "--seed", "1"],
            summary: "Healthy games: puzzles solved, cards paired, observers attached and removed. Nothing is lost."),
        DemoScene(
            name: "malloc-leak", arguments: ["fault", "malloc-leak"],
            summary: "A block of C memory that nobody frees.", finding: .rawLeak),
        DemoScene(
            name: "attribute-leak", arguments: ["fault", "attribute-leak"],
            summary: "An object retained by hand once too often.", finding: .leak),
        DemoScene(
            name: "retain-cycle", arguments: ["fault", "retain-cycle"],
            summary: "Two containers that hold each other.", finding: .retainCycle),
        DemoScene(
            name: "dialog-cycle", arguments: ["fault", "dialog-cycle"],
            summary: "A dialog's handler captures the dialog's owner.", finding: .retainCycle),
        DemoScene(
            name: "undo-cycle", arguments: ["fault", "undo-cycle"],
            summary: "Undo steps hold the puzzle that owns their manager.", finding: .retainCycle),
        DemoScene(
            name: "tree-cycle", arguments: ["fault", "tree-cycle"],
            summary: "Children that own their parent.", finding: .retainCycle),
        DemoScene(
            name: "card-cache", arguments: ["fault", "card-cache"], instrument: "allocations",
            summary: "Pictures that a cache keeps for ever: by type, by stack, over time.", finding: .growth),
    ]
}
