import ArgumentParser

/// The program to record.
struct ProgramOptions: ParsableArguments {
    @Flag(name: .long, help: "Exit as the program exited instead of by what was found.")
    var propagateExit = false

    @Flag
    var following = Following.beyondLaunchers

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Keep the trace in this file.", valueName: "file.gptrace"))
    var output: String?

    @Argument(help: "The program to record, and its arguments.")
    var program: [String]

    mutating func validate() throws {
        guard let name = program.first, !name.isEmpty else {
            throw ValidationError("Name the program to record.")
        }
    }
}
