import Foundation
import GameprofBasics

/// Finds where the program begins on the command line: everything from there on is the program's, whatever it looks
/// like.
enum ProgramArguments {
    /// Subcommands that run a program.
    static let commands = Set(Instrument.allCases.map(\.rawValue) + ["record", "check", "test"])

    /// Options of those that take the next argument as their value.
    static let optionsWithValue: Set = [
        "--html", "--json", "--output", "-o", "--suppressions", "--instruments", "--quarantine-bytes",
        "--quarantine-count", "--guard-types", "--sample", "--guard-samples",
        "--rate", "--source",
        "--budget", "--baseline", "--tolerance", "--scenario", "--junit", "--sarif", "--markdown", "--annotations",
        "--reports",
        "--snapshot-every", "--snapshot-signal", "--editor",
        "--history", "--history-branch", "--why", "--max-trace-size", "--symbols", "--shard", "--type", "--snapshots",
        "--snapshot",
    ]

    /// The arguments with `--` in front of the program, so that the parser leaves what follows alone. An option whose
    /// values may be missing is spelled for the parser: `--guard=A,B` and `--guard A B --` become `--guard-types A,B`,
    /// `--guard` alone `--guard-all`. Types after a space are told from the program by the `--` in front of it.
    static func mark(_ arguments: [String]) -> [String] {
        guard let command = arguments.first, commands.contains(command) else { return arguments }
        let mayGuard = ["zombies", "record"].contains(command)
        var result = [command]
        var rest = arguments.dropFirst()
        while let word = rest.first, word.hasPrefix("-"), word != "-" {
            if word == "--" { return result + rest }
            rest.removeFirst()
            if mayGuard, word.hasPrefix("--guard=") {
                result += ["--guard-types", String(word.dropFirst("--guard=".count))]
            } else if mayGuard, word == "--guard" {
                let types = rest.contains("--") ? rest.prefix { !$0.hasPrefix("-") } : []
                rest.removeFirst(types.count)
                result += types.isEmpty ? ["--guard-all"] : ["--guard-types", types.joined(separator: ",")]
            } else {
                result.append(word)
                if optionsWithValue.contains(word), let value = rest.popFirst() { result.append(value) }
            }
        }
        // Options may follow traces, which have none of their own.
        let takesTrace = ["check", Instrument.heap.rawValue].contains(command)
        let isComparison = command == Instrument.heap.rawValue && rest.first == "diff"
        let first = isComparison ? rest.dropFirst().first : rest.first
        if takesTrace, let first, CheckRun.isTrace(first) { return result + rest }
        guard !rest.isEmpty else { return result }
        return result + ["--"] + rest
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
