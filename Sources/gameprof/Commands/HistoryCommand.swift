import ArgumentParser

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Keep the results of many runs in one SQLite file and see what changed.",
        usage: "gameprof history add RESULT.json… | show | page | compare",
        discussion: """
            add stores results of gameprof check --json and of instruments (--json) by commit, branch, machine, \
            toolchain and scenario. show and page report since when findings and figures have been as they are. \
            compare compares two builds whose runs alternated. gameprof history SUBCOMMAND --help lists the options.

            Exit codes: 0 nothing found, 1 something is worse, 2 wrong usage or unreadable input, 4 gameprof-history is \
            missing or failed.
            """)

    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("A subcommand and its options.", valueName: "subcommand"))
    var arguments: [String] = []

    func run() throws { try CompanionTool.history.replaceProcess(arguments) }
}
