import ArgumentParser

/// The program to record.
struct TargetOptions: ParsableArguments {
    @Argument(help: "The program to record, and its arguments.")
    var program: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Record the programs that it starts as well, each into a separate trace: all (also --follow alone), \
            launched (yours that a shell, make, timeout or another system program starts) or none.
            """,
            valueName: "which"))
    var follow = Following.launched

    @Flag(name: .long, help: "Exit with the program's status instead of the result of the findings.")
    var propagateExit = false

    /// - Throws: no program is named.
    func check() throws {
        guard let name = program.first, !name.isEmpty else {
            throw ValidationError("Name the program to record.")
        }
    }
}

extension Following: ExpressibleByArgument {
    static var allValueStrings: [String] { [] }
}
