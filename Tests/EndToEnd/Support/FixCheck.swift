import Foundation

/// Whether a fix speaks of what the user's sources have.
enum FixCheck {
    /// What the sources do not have: properties, `weak var`s and lines that the fix names. `sources`: text by file name.
    static func unknown(in fix: String, of sources: [String: String]) -> [String] {
        let text = sources.values.joined(separator: "\n")
        var unknown: [String] = []
        for match in fix.matches(of: #/weak var (\S+?)\)/#) where !declares(text, String(match.output.1)) {
            unknown.append("weak var \(match.output.1)")
        }
        for match in fix.matches(of: #/(?:make|clear|end|set|empty) (\w+)\.([\w$]+)/#)
        where !declares(text, String(match.output.2)) {
            unknown.append("\(match.output.1).\(match.output.2)")
        }
        for match in fix.matches(of: #/(\w+\.swift):(\d+)/#) {
            let lines = sources[String(match.output.1)]?.components(separatedBy: "\n") ?? []
            let number = Int(match.output.2) ?? 0
            if number < 1 || number > lines.count || lines[number - 1].allSatisfy(\.isWhitespace) {
                unknown.append(String(match.output.0))
            }
        }
        return unknown
    }

    private static func declares(_ text: String, _ property: String) -> Bool {
        let name = NSRegularExpression.escapedPattern(for: property)
        let pattern = #"\b(var|let|case)\s[^=]*\b"# + name + #"\b"#
        return text.range(of: pattern, options: .regularExpression) != nil
    }
}
