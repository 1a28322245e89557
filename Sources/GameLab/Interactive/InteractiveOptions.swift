import ArgumentParser

/// How a game is played by a person, or again from a recorded session.
struct InteractiveOptions: ParsableArguments {
    @Flag(help: "Play yourself, on this terminal.")
    var interactive = false

    @Option(help: ArgumentHelp("Write what is played into this file, to be played again.", valueName: "file"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Play a recorded session again: on a terminal with --interactive, else unseen.", valueName: "file"))
    var replay: String?

    @Flag(help: "Play an unseen session at 60 frames per second too, instead of as fast as it goes.")
    var paced = false

    @Option(help: "Tiles or cards along a side, 2 to 8 (default: 4 tiles, 6 cards).")
    var side: Int?

    @Flag(name: .customLong("frame-times"), help: "Say at the end how regularly the frames came.")
    var frameTimes = false

    /// Whether one of them asks for another way to play than the usual.
    var isWanted: Bool { interactive || replay != nil }

    mutating func validate() throws {
        if !isWanted, record != nil || paced || side != nil || frameTimes {
            throw ValidationError("--record, --paced, --side and --frame-times need --interactive or --replay.")
        }
        if let side, !(2...8).contains(side) { throw ValidationError("A side has 2 to 8 fields, not \(side).") }
    }
}
