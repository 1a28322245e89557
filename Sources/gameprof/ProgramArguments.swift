/// Finds where the program begins on the command line: everything from there on is the program's, whatever it looks
/// like.
enum ProgramArguments {
    /// Subcommands that run a program.
    static let commands: Set = ["leaks", "zombies", "allocations", "time", "record", "check", "test"]

    /// Options of those that take the next argument as their value.
    static let optionsWithValue: Set = [
        "--html", "--json", "--output", "-o", "--suppressions", "--instruments", "--quarantine-bytes",
        "--quarantine-count", "--guard-types", "--sample",
        "--rate", "--source",
        "--budget", "--baseline", "--tolerance", "--scenario", "--junit", "--sarif", "--markdown", "--reports",
        "--snapshot-every", "--snapshot-signal",
        "--history", "--why",
    ]

    /// The arguments with `--` in front of the program, so that the parser leaves what follows alone.
    static func mark(_ arguments: [String]) -> [String] {
        guard let command = arguments.first, commands.contains(command) else { return arguments }
        let arguments = ["zombies", "record"].contains(command) ? GuardArguments.spell(arguments) : arguments
        var index = 1
        while index < arguments.count, arguments[index].hasPrefix("-"), arguments[index] != "-" {
            if arguments[index] == "--" { return arguments }
            index += optionsWithValue.contains(arguments[index]) ? 2 : 1
        }
        guard index < arguments.count else { return arguments }
        return arguments[..<index] + ["--"] + arguments[index...]
    }
}
