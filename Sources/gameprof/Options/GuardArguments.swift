/// `--guard [TYPE…]`: an option whose values may be missing, spelled for the parser.
enum GuardArguments {
    /// `--guard=A,B` and `--guard A B --` become `--guard-types A,B`; `--guard` alone becomes `--guard-all`. Types after a
    /// space are told from the program by the `--` in front of it.
    static func spell(_ arguments: [String]) -> [String] {
        let end = arguments.firstIndex(of: "--")
        var result: [String] = []
        var index = 0
        while index < arguments.count {
            let word = arguments[index]
            index += 1
            if let end, index > end { return result + arguments[(index - 1)...] }
            if word.hasPrefix("--guard=") {
                result += ["--guard-types", String(word.dropFirst(8))]
            } else if word == "--guard" {
                let types = end.map { arguments[index..<max(index, $0)].prefix { !$0.hasPrefix("-") } } ?? []
                result += types.isEmpty ? ["--guard-all"] : ["--guard-types", types.joined(separator: ",")]
                index += types.count
            } else {
                result.append(word)
            }
            let isOption = word.hasPrefix("-") && word != "-"
            if !isOption, end == nil, result.count > 1, !takesValue(result, before: result.count - 1) {
                return result + arguments[index...]
            }
        }
        return result
    }

    private static func takesValue(_ words: [String], before index: Int) -> Bool {
        ProgramArguments.optionsWithValue.contains(words[index - 1])
    }
}
