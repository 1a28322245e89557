import ArgumentParser

struct GameLabCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gamelab",
        abstract: "Plays healthy games, or commits memory faults, for a profiler to look at.",
        subcommands: [PlayCommand.self, FaultCommand.self, ListCommand.self])
}
