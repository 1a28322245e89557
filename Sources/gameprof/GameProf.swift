import ArgumentParser
import GameprofTrace

/// The command line. A file for each subcommand stands under `Commands`.
struct GameProf: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gameprof",
        abstract: "Instruments for Swift on Linux: leaks, retain cycles, zombies, allocations, CPU time and files.",
        discussion: """
            Everything after PROGRAM belongs to the program. It keeps its standard input and output, environment, \
            working directory and arguments; gameprof writes to standard error and to the files that you name.

            Exit codes: 0 nothing found, 1 findings of severity error, 2 wrong usage or unreadable input, 3 the \
            program could not be started, 4 the recording is incomplete (for example, a signal ended it) or \
            gameprof itself failed.
            """,
        version: GameProf.toolVersion,
        subcommands: [
            LeaksCommand.self, HeapCommand.self, FootprintCommand.self, TasksCommand.self, ZombiesCommand.self,
            AllocationsCommand.self, TimeCommand.self, FilesCommand.self, RecordCommand.self,
            ReportCommand.self, CheckCommand.self, MergeCommand.self, TestCommand.self, ExportCommand.self,
            DiffCommand.self, SymbolicateCommand.self, HistoryCommand.self, PushCommand.self, AnalyzeCommand.self,
            DumpCommand.self, DoctorCommand.self, TopCommand.self, LiveCommand.self, AttachCommand.self,
            McpCommand.self,
            DemoCommand.self,
        ])

    static func subcommand(_ name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.configuration.commandName == name }
    }

    /// Version of the tool.
    static let toolVersion = Release.current
}
