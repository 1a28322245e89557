import GameprofBasics

/// The words of the command line as the parser takes them, with `--` in front of the program.
/// Everything from there on is the program's, whatever it looks like.
struct ProgramArguments {
    /// Subcommands that run a program.
    static let commands = Set(
        Instrument.allCases.map(\.rawValue) + ["footprint", "tasks", "record", "check", "test", "live"])

    /// For the parser.
    private(set) var words: [String]

    /// - Throws: `ToolError` for a command that there is not, and where the program, without `--`, has the name of a
    /// command: who writes `gameprof heap diff` means no program of the search path.
    init(_ arguments: [String]) throws {
        words = arguments
        guard let command = arguments.first, !command.hasPrefix("-"), command != "help" else { return }
        try UnknownCommand.refuse(command)
        // Those of gameprof history belong to another program.
        guard command != "history" else { return }
        var options = OptionWords(command: command, rest: arguments.dropFirst())
        words = [command] + (try options.next())
        if command == Instrument.heap.rawValue {
            let isComparison = options.rest.first == "diff"
            if isComparison { options.rest.removeFirst() }
            words.insert(isComparison ? "diff" : "show", at: 1)
            if isComparison {
                try takeAll(&options)
                return
            }
        }
        if Self.commands.contains(command) {
            try markProgram(of: command, &options)
        } else {
            try takeAll(&options)
        }
    }

    /// Options may stand behind every word.
    private mutating func takeAll(_ options: inout OptionWords) throws {
        words += try options.next()
        while let word = options.rest.first, word != "--" {
            options.rest.removeFirst()
            words.append(word)
            words += try options.next()
        }
        words += options.rest
    }

    private mutating func markProgram(of command: String, _ options: inout OptionWords) throws {
        try RecordingOptions.refuse(in: words, of: command, lookingAt: nil)
        guard let program = options.rest.first, program != "--" else {
            words += options.rest
            return
        }
        // Options may follow traces and core files, which have none of their own.
        let takesTrace = ["check", "tasks", Instrument.heap.rawValue].contains(command) && CheckRun.isTrace(program)
        let takesCore = ["tasks", Instrument.heap.rawValue, Instrument.leaks.rawValue].contains(command)
        if takesTrace || takesCore && CoreOpening.isCore(program) {
            try takeAll(&options)
            return try RecordingOptions.refuse(in: words, of: command, lookingAt: program)
        }
        guard command == "test" || GameProf.subcommand(program) == nil else {
            throw ToolError(
                .wrongUsage, "\(program) is a gameprof command; write -- before it to run a program with that name.")
        }
        words += ["--"] + options.rest
    }
}
