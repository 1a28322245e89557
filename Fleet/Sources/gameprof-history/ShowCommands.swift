import ArgumentParser
import Foundation
import GameprofBasics
import HistoryModel
import HistoryPage
import HistoryStore

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print findings and figures of each scenario, and since when they are so.",
        usage: "gameprof history show [options]")

    @OptionGroup var file: HistoryFileOptions
    @OptionGroup var selection: SelectionOptions

    @Flag(name: .long, help: "Print JSON: findings with their periods, figures with all points and changes.")
    var json = false

    func run() throws {
        let histories = try selection.read(try file.open())
        print(json ? try HistoryJSON.render(histories) : HistoryText.render(histories), terminator: "")
    }
}

struct PageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page", abstract: "Write a page that draws each scenario over the commits.",
        usage: "gameprof history page [options]",
        discussion: "The page is one file of at most 2 MB and needs no network.")

    @OptionGroup var file: HistoryFileOptions
    @OptionGroup var selection: SelectionOptions

    @Option(name: .long, help: ArgumentHelp("The page to write.", valueName: "file.html"))
    var html = "Reports/history.html"

    func run() throws {
        let page = HistoryPage.render(try selection.read(try file.open()))
        do { try OutputPlace.write(Array(page.utf8), to: html, createsFolder: true) } catch {
            throw ToolFailure(.failed, PlainText.clean("\(html) cannot be written: \(error.reason)."))
        }
        print(PlainText.clean(html))
    }
}

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compare two builds whose runs were made in turn.",
        usage: "gameprof history compare --before A1.json A2.json… --after B1.json B2.json…",
        discussion: """
            Figures that are the same in all runs of a build are compared by value. The others by the test of Mann and \
            Whitney, at a significance of 1 % over all figures together (Holm), and a difference of the medians of more \
            than 1 %. Make the runs in turn, before, after, before, after …: what else happens on the machine then meets both.

            Exit codes: 0 nothing is worse, 1 a figure is worse, 2 a result cannot be read.
            """)

    @Option(
        name: .long, parsing: .upToNextOption, help: ArgumentHelp("Results of one build.", valueName: "result.json"))
    var before: [String]

    @Option(
        name: .long, parsing: .upToNextOption, help: ArgumentHelp("Results of the other.", valueName: "result.json"))
    var after: [String]

    @Flag(name: .long, help: "Print JSON.")
    var json = false

    func run() throws {
        func read(_ paths: [String]) throws -> [ResultFile.Scenario] {
            try paths.flatMap { try ResultFile(path: $0).scenarios }
        }
        let comparison = InterleavedComparison(before: try read(before), after: try read(after))
        guard !comparison.rows.isEmpty else {
            throw ToolFailure(.wrongUsage, "The results have no figure of the same scenario in common.")
        }
        print(json ? try HistoryJSON.encode(comparison.rows) : ComparisonText.render(comparison), terminator: "")
        if comparison.rows.contains(where: { $0.verdict == .worse }) { throw ToolStatus.findings }
    }
}

/// What gameprof check --history runs.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Compare the result of a check with the history.",
        usage: "gameprof history check [options] RESULT.json",
        discussion:
            "Prints JSON: of each scenario what is new or worse, with its evidence. Adds nothing to the history.",
        shouldDisplay: false)

    @OptionGroup var file: HistoryFileOptions
    @OptionGroup var origin: OriginOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Compare with this branch (default: the one with the most runs).", valueName: "name"))
    var against: String?

    @Option(name: .long, help: ArgumentHelp("Permitted increase of exact figures; a share.", valueName: "share"))
    var tolerance = 0.0

    @Argument(help: ArgumentHelp("A result, - for standard input.", valueName: "result.json"))
    var result: String

    func run() throws {
        let scenarios =
            result == "-"
            ? try ResultFile(FileHandle.standardInput.readDataToEndOfFile(), name: "The result").scenarios
            : try ResultFile(path: result).scenarios
        let history = try file.open()
        let origin = try origin.origin(isStored: false)
        let branch = try against ?? history.mainBranch() ?? origin.branch
        let check = HistoryCheck(tolerance: tolerance)
        let verdicts = try scenarios.map { scenario in
            check.compare(
                scenario.run(of: origin),
                with: try history.timeline(branch: branch, scenario: scenario.name, last: 2_000))
        }
        print(try HistoryJSON.encode(CheckAnswer(scenarios: verdicts)), terminator: "")
        if verdicts.contains(where: { !$0.failures.isEmpty }) { throw ToolStatus.findings }
    }

    private struct CheckAnswer: Encodable {
        let schema = "gameprof-history-check"
        let version = 1
        let scenarios: [HistoryCheck.Verdict]
    }
}
