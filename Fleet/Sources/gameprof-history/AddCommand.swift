import ArgumentParser
import Foundation
import GameprofBasics
import HistoryModel
import HistoryStore

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add results to the history, which is made if it is missing.",
        usage: "gameprof history add [options] RESULT.json…",
        discussion: """
            A result is what gameprof check --json or an instrument (gameprof leaks --json) wrote. One that the history has \
            already is not added again. Several results of one commit are several runs of it.
            """)

    @OptionGroup var file: HistoryFileOptions
    @OptionGroup var origin: OriginOptions

    @Option(name: .long, help: ArgumentHelp("Scenario of a report (default: its program).", valueName: "name"))
    var scenario: String?

    @Flag(name: .long, help: "Print errors only.")
    var quiet = false

    @Argument(help: ArgumentHelp("Results.", valueName: "result.json"))
    var results: [String]

    func run() throws {
        let origin = try origin.origin()
        let runs = try results.flatMap { path in
            try ResultFile(path: path, scenario: scenario).scenarios.map { $0.run(of: origin) }
        }
        let added = try file.open(creates: true).add(runs)
        guard !quiet else { return }
        let known = runs.count - added
        let rest = known > 0 ? ", \(NumberFormat.count(known)) already there" : ""
        let sentence =
            "\(NumberFormat.count(added, "run")) of \(origin.commit.shortCommit) on \(PlainText.clean(origin.branch)) added"
        FileHandle.standardError.write(Data("gameprof: \(sentence)\(rest)\n".utf8))
    }
}
