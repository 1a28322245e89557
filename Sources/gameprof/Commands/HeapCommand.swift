import ArgumentParser

/// What lives: in one heap, or as the difference of two.
struct HeapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "heap",
        abstract: "Show what lives at the end or at the peak, what holds it and what would be freed.",
        subcommands: [HeapShowCommand.self, HeapDiffCommand.self], defaultSubcommand: HeapShowCommand.self)
}
