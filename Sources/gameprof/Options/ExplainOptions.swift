import ArgumentParser
import GameprofBasics

/// Whether a zombie's history is recorded by a second run.
struct ExplainOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "Run the program again when zombies are found, and show the retains and releases of their classes.")
    var explain = false

    /// The user's own command with this flag; nil: it is another command.
    var command: String? {
        let given = CommandLine.arguments.dropFirst()
        guard given.first == Instrument.zombies.rawValue else { return nil }
        let option = explain ? [] : ["--explain"]
        return ShellWords.joined(["gameprof", Instrument.zombies.rawValue] + option + given.dropFirst())
    }
}
