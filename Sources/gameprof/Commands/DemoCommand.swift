import ArgumentParser
import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofReport

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Record the example games and faults, and list the reports on one page.",
        discussion: "Runs `gamelab` from gameprof's folder, and writes index.html and a page for each run.")

    @Option(name: .long, help: ArgumentHelp("The folder for the reports.", valueName: "folder"))
    var output = "Reports/demo"

    @Argument(
        help: ArgumentHelp(
            "Only these scenes: \(DemoCommand.names.joined(separator: ", ")).", valueName: "scene"))
    var scenes: [String] = []

    private static let names = DemoScene.all.map(\.name) + DemoParts.names

    private func chosen() throws -> Set<String> {
        let words = scenes.flatMap { $0.split(separator: ",") }.map(String.init)
        guard !words.isEmpty else { return Set(Self.names) }
        for word in words where !Self.names.contains(word) {
            let hint = NearestName.hint(word, among: Self.names)
            throw ToolError(.wrongUsage, "The demonstration has no scene \(word)\(hint.isEmpty ? "." : hint)")
        }
        return Set(words)
    }

    func run() throws {
        let chosen = try chosen()
        let games = Self.folder.appending(path: "gamelab").path
        guard FileManager.default.isExecutableFile(atPath: games) else {
            throw ToolError(
                .wrongUsage,
                "The games of the demonstration are not beside gameprof. They belong to its sources, "
                    + "where make demo builds and records them.")
        }
        let index = "\(output)/index.html"
        try AtomicFile.check(index, createsFolder: true, needsFile: true)
        var entries: [IndexPage.Entry] = []
        var failures: [String] = []
        func attempt(_ name: String, _ body: () throws -> Void) {
            do { try body() } catch { failures.append("\(name): \(error)") }
        }
        for scene in DemoScene.all where chosen.contains(scene.name) {
            attempt(scene.name) {
                StandardError.write("\n$ \(scene.command)\n")
                let report = try report(of: scene, games: games)
                entries.append(
                    .init(title: scene.command, summary: scene.summary, page: scene.page, report: report))
                if !scene.isAsExpected(report) {
                    throw ToolError(.toolFailed, "\(scene.command) did not give the expected finding.")
                }
            }
        }
        let parts = DemoParts(
            output: output, games: games, animation: Self.folder.appending(path: "AnimatedGame").path,
            sources: Self.root?.appending(path: Self.faults).path)
        for name in DemoParts.names where chosen.contains(name) {
            attempt(name) { if let entry = try parts.entry(name) { entries.append(entry) } }
        }
        let lesson = Self.root?.appending(path: "Documentation/Lesson.md").absoluteString
        try AtomicFile.write(
            try IndexPage.render(
                title: "The example games and their faults", command: "gameprof demo", entries: entries,
                lesson: lesson),
            to: index, needsFile: true)
        StandardError.write("\nEvery report: \(index)\n")
        guard failures.isEmpty else { throw ToolError(.toolFailed, failures.joined(separator: "\n")) }
    }

    private func report(of scene: DemoScene, games: String) throws -> Report {
        var run = InstrumentRun(
            instrument: scene.instrument, program: ProgramToRun(words: [games] + scene.arguments),
            report: ReportFiles(html: "\(output)/\(scene.page)", index: "index.html"))
        run.runsAgain = scene.excessReleaser != nil
        run.explainingCommand = scene.explainingCommand
        return try run.perform().report
    }

    private static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    private static let faults = "Sources/GameLab/Faults"

    /// The folder of the sources, if gameprof runs where it was built; nil: they are not there.
    private static var root: URL? {
        var folder = Self.folder
        for _ in 0..<4 {
            folder.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: folder.appending(path: faults).path) { return folder }
        }
        return nil
    }
}

/// One run of the demonstration, and what it is there to show.
struct DemoScene {
    var name: String
    var arguments: [String]
    var instrument = Instrument.leaks
    var summary: String
    /// The kind of its worst finding; nil: nothing is to be found.
    var finding: Finding.Kind?
    /// A second run shows who released the object; this function's is the release that was one too many, and must be named.
    var excessReleaser: String?

    var command: String { excessReleaser == nil ? command("") : explainingCommand }

    var explainingCommand: String { command("--explain ") }

    var page: String { "\(name).html" }

    private func command(_ option: String) -> String {
        "gameprof \(instrument.rawValue) \(option)-- gamelab \(arguments.joined(separator: " "))"
    }

    func isAsExpected(_ report: Report) -> Bool {
        let findings = report.findings.filter { $0.severity != .note }
        guard let finding else { return findings.isEmpty }
        return findings.contains { found in
            found.kind == finding && excessReleaser.map { found.fix?.contains($0) == true } ?? true
        }
    }

    static let all = [
        DemoScene(
            name: "play", arguments: ["play", "both", "--games", "5", "--seed", "1"],
            summary: "Healthy games: puzzles solved, cards paired, observers attached and removed. Nothing is lost."),
        DemoScene(
            name: "malloc-leak", arguments: ["fault", "malloc-leak"],
            summary: "A block of C memory that is never freed.", finding: .rawLeak),
        DemoScene(
            name: "attribute-leak", arguments: ["fault", "attribute-leak"],
            summary: "An object with one unbalanced manual retain.", finding: .leak),
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
            name: "tree-cycle-cured", arguments: ["fault", "tree-cycle", "--cured"],
            summary: "The same tree with weak references to the parents."),
        DemoScene(
            name: "observer-cycle", arguments: ["fault", "observer-cycle"],
            summary: "An observer keeps a notification center whose block captures the observer.",
            finding: .retainCycle),
        DemoScene(
            name: "zombie", arguments: ["fault", "zombie"], instrument: .zombies,
            summary: "A member of a set is released once too often, then called: all its retains and releases.",
            finding: .zombie, excessReleaser: "Party.dismiss(_:)"),
        DemoScene(
            name: "attribute-zombie", arguments: ["fault", "attribute-zombie"], instrument: .zombies,
            summary: "A property does not own its object, which is used after it was freed.", finding: .zombie),
        DemoScene(
            name: "compute-sum", arguments: ["fault", "compute-sum", "--presses", "14"], instrument: .time,
            summary: "A list is summed by index from its head: a hotspot that grows with the square of its length."),
        DemoScene(
            name: "observer-growth", arguments: ["fault", "observer-growth"],
            summary: "Each opened screen adds an observer, and no token is ever removed.", finding: .abandoned),
        DemoScene(
            name: "card-cache", arguments: ["fault", "card-cache"],
            summary: "Pictures that a cache never releases: by type, by stack, over time.", finding: .growth),
        DemoScene(
            name: "card-cache-cured", arguments: ["fault", "card-cache", "--cured"],
            summary: "A key that the next game asks for again: the cache stays as it is after the first."),
        DemoScene(
            name: "timer-cycle", arguments: ["fault", "timer-cycle"],
            summary: "A timer's block captures its owner, whose deinitializer alone would invalidate the timer.",
            finding: .retainCycle),
        DemoScene(
            name: "delegate-cycle", arguments: ["fault", "delegate-cycle"],
            summary: "A picker owns its delegate, the screen that owns the picker.", finding: .retainCycle),
        DemoScene(
            name: "sensor-cycle", arguments: ["fault", "sensor-cycle"],
            summary: "A started sensor's handler captures the controller that owns the sensor.", finding: .retainCycle),
        DemoScene(
            name: "temporary-peak", arguments: ["fault", "temporary-peak"], instrument: .allocations,
            summary: "A loop's temporary objects live until its end: a peak of 3 MB, and nothing is lost."),
        DemoScene(
            name: "temporary-peak-cured", arguments: ["fault", "temporary-peak", "--cured"], instrument: .allocations,
            summary: "The same loop with a pool for each pass: the peak is that of one pass."),
        DemoScene(
            name: "reuse-miss", arguments: ["fault", "reuse-miss"], instrument: .allocations,
            summary: "A thousand cells for a thousand rows, because none is found again: see CardCell by type."),
        DemoScene(
            name: "reuse-miss-cured", arguments: ["fault", "reuse-miss", "--cured"], instrument: .allocations,
            summary: "The same rows with the eight cells that fit on the screen."),
        DemoScene(
            name: "memory-warning", arguments: ["fault", "memory-warning"],
            summary: "A cache ignores the memory warning: live bytes before and after it, and what stayed."),
        DemoScene(
            name: "memory-warning-cured", arguments: ["fault", "memory-warning", "--cured"],
            summary: "The same cache, which handles the warning and frees what can be made again."),
        DemoScene(
            name: "descriptor-leak", arguments: ["fault", "descriptor-leak"], instrument: .files,
            summary: "A file is opened after each level and left open on one path through the function.",
            finding: .descriptorLeak),
        DemoScene(
            name: "descriptor-leak-cured", arguments: ["fault", "descriptor-leak", "--cured"], instrument: .files,
            summary: "The same file, closed on every path."),
    ]
}
