import GameprofBasics

/// What is said of a command that there is not.
enum UnknownCommand {
    /// - Throws: `ToolError`, unless there is that command.
    static func refuse(_ name: String) throws {
        guard GameProf.subcommand(name) == nil else { return }
        throw ToolError(.wrongUsage, "gameprof has no command \(name)\(advice(name))")
    }

    private static func advice(_ name: String) -> String {
        if let wish = CommandWish.commands[name] { return wish }
        let names = GameProf.configuration.subcommands.compactMap { $0.configuration.commandName }
        let hint = NearestName.hint(name, among: names)
        return hint.isEmpty ? "; gameprof --help lists them." : hint
    }
}

/// What other tools do, and which command is nearest.
enum CommandWish {
    /// Ends of sentences, by the names of commands.
    static let commands = [
        "trace": "; gameprof record PROGRAM writes a trace.",
        "profile": "; gameprof time PROGRAM samples CPU time.",
        "memcheck":
            "; gameprof leaks PROGRAM finds leaks, gameprof zombies PROGRAM uses of deallocated objects.",
    ]

    /// Whether a word is the option that would name a process.
    static func isProcess(_ word: String) -> Bool { word == "-p" || word == "--pid" || word.hasPrefix("--pid=") }

    /// A sentence for commands that record; nil: it is another.
    static func process(_ command: String) -> String? {
        guard command == "record" || Instrument(rawValue: command) != nil,
            ![.heap, .leaks, .time].map(\Instrument.rawValue).contains(command)
        else { return nil }
        let prepared =
            ["allocations", "files"].contains(command)
            ? "; gameprof attach PID records one that gameprof record --dormant started" : ""
        return "gameprof cannot record a process that runs already; gameprof \(command) PROGRAM records it from its "
            + "start\(prepared)."
    }
}
