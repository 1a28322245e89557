import GameprofBasics

/// The options at the front of words, in the spelling of the parser.
struct OptionWords {
    let command: String
    /// What is left.
    var rest: ArraySlice<String>

    /// Options that take the next word as their value, of all commands: a test compares them with those that are declared.
    static let withValue: Set = [
        "--html", "--json", "--output", "-o", "--suppressions", "--instruments", "--quarantine", "--sample", "--rate",
        "--source", "--budget", "--baseline", "--tolerance", "--scenario", "--junit", "--sarif", "--markdown",
        "--annotations", "--reports", "--snapshot-at", "--memory-warning-at", "--fail-allocation", "--snapshot",
        "--history",
        "--retains", "--objects", "--why", "--max-trace-size", "--symbols", "--shard", "--format", "--values",
        "--fail-on", "--repeat", "--to",
        "--store", "--label", "--timeout", "--confidence", "--index-store",
        "--pid", "--port", "--program", "--for", "--every",
    ]

    /// Options whose value may be missing: what they mean then, and which words behind them are values for certain.
    static let withOptionalValue: [String: (meaning: String, isValue: @Sendable (String) -> Bool)] = [
        "--guard": ("all", { ["all", "none"].contains($0) || $0.hasPrefix("1/") }),
        "--follow": ("all", { Following(rawValue: $0) != nil }),
        "--fix": ("apply", { ["apply", "show"].contains($0) }),
    ]

    /// Takes the options up to a word that is none, and to `--`.
    mutating func next() throws -> [String] {
        var result: [String] = []
        while let word = rest.first, word.hasPrefix("-"), word != "-", word != "--" {
            if CommandWish.isProcess(word), let wish = CommandWish.process(command) {
                throw ToolError(.wrongUsage, wish)
            }
            rest.removeFirst()
            if let option = Self.withOptionalValue[word] {
                result.append("\(word)=\(values(of: word, option.isValue) ?? option.meaning)")
            } else {
                result.append(word)
                if Self.withValue.contains(word), let value = rest.popFirst() { result.append(value) }
            }
        }
        return result
    }

    /// Names of classes after a space are told from the program by the `--` in front of it.
    private mutating func values(of option: String, _ isValue: (String) -> Bool) -> String? {
        if let word = rest.first, isValue(word) { return rest.removeFirst() }
        guard option == "--guard", rest.contains("--") else { return nil }
        let names = rest.prefix { !$0.hasPrefix("-") }
        rest.removeFirst(names.count)
        return names.isEmpty ? nil : names.joined(separator: ",")
    }
}
