import GameprofBasics

/// Makes strings of the recorded program safe and short for the page. The template engine then escapes them.
package enum PageText {
    private static let marked: Set<Unicode.Scalar> = ["<", ">", "&", "\"", "'"]

    /// Control characters become visible; longer texts are cut in the middle.
    package static func clean(_ text: String, limit: Int = 300) -> String {
        if text.utf8.count <= limit, PlainText.isPlainASCII(text) { return text }
        var scalars = String.UnicodeScalarView()
        let cut = text.unicodeScalars.count > limit
        let half = limit / 2
        scalars.append(contentsOf: cut ? text.unicodeScalars.prefix(half) : text.unicodeScalars[...])
        if cut {
            scalars.append("…")
            scalars.append(contentsOf: text.unicodeScalars.suffix(half))
        }
        return separateMarks(PlainText.clean(String(scalars)))
    }

    /// The engine escapes whole characters, and a quote with a combining accent is another character than a quote: a
    /// dotted circle is put between, which then carries the accent.
    private static func separateMarks(_ text: String) -> String {
        var result = ""
        for character in text {
            let scalars = Array(character.unicodeScalars)
            guard scalars.count > 1, scalars.contains(where: marked.contains) else {
                result.append(character)
                continue
            }
            for scalar in scalars {
                result.unicodeScalars.append(scalar)
                result.unicodeScalars.append("\u{25CC}")
            }
        }
        return result
    }

    /// Cut at the end to so many characters.
    static func short(_ text: String, _ limit: Int) -> String { clean(TextTable.cut(text, limit)) }
}

/// The template engine's view of an absent value.
package func optional(_ value: Any?) -> Any { value ?? false }
