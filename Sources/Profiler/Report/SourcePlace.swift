/// Where in the source something stands.
enum SourcePlace {
    /// "Puzzle.swift:118"; nil when the debug information does not say.
    static func short(_ frame: SymbolicatedFrame?) -> String? {
        frame.flatMap { short(file: $0.file, line: $0.line) }
    }

    /// File name and line of a path.
    static func short(file: String?, line: Int?) -> String? {
        guard let name = file?.split(separator: "/").last else { return nil }
        return line.map { "\(name):\($0)" } ?? String(name)
    }
}
