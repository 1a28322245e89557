/// Makes text safe for XML 1.0.
package enum XMLText {
    /// For attributes and contents. What XML cannot hold (most control characters, lone surrogates) becomes visible.
    package static func escape(_ text: String, keepsLines: Bool = false) -> String {
        let lines = keepsLines ? text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) : [text]
        return lines.map(escapeLine).joined(separator: "\n")
    }

    private static func escapeLine(_ text: String) -> String {
        var result = ""
        for scalar in PlainText.clean(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
