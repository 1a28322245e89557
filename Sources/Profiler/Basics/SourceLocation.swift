/// Where in the source something stands.
package enum SourceLocation {
    /// "Puzzle.swift:118": file name and line of a path; nil when the debug information does not say.
    package static func short(file: String?, line: Int?) -> String? {
        guard let name = file?.split(separator: "/").last else { return nil }
        return line.map { "\(name):\($0)" } ?? String(name)
    }
}
