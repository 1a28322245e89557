import Foundation

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
        "--history", "--why", "--max-trace-size",
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
        // Options may follow traces, which have none of their own.
        if command == "check", CheckRun.isTrace(arguments[index]) { return arguments }
        return arguments[..<index] + ["--"] + arguments[index...]
    }

    /// The bytes of words that stand at the end of the command line, as they were written there: a program gets what it
    /// was given, UTF-8 or not. Words that do not stand there are their own UTF-8.
    static func bytes(of words: [String]) -> [[UInt8]] {
        var result = words.map { Array($0.utf8) }
        for (place, word) in zip(result.indices, words).reversed() {
            let number = Int(CommandLine.argc) - (words.count - place)
            guard number > 0, let given = CommandLine.unsafeArgv[number] else { break }
            let bytes = Array(UnsafeRawBufferPointer(start: given, count: strlen(given)))
            guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(word.utf8) else { break }
            result[place] = bytes
        }
        return result
    }
}
