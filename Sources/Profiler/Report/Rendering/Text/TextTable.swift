/// Lines with columns.
package enum TextTable {
    /// Pads on the right, or cuts with an ellipsis.
    package static func left(_ text: String, _ width: Int) -> String {
        let missing = width - text.count
        return missing >= 0 ? text + String(repeating: " ", count: missing) : cut(text, width)
    }

    /// Pads on the left.
    package static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    package static func cut(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : String(text.prefix(max(0, width - 1))) + "…"
    }

    /// `left`, then `right` at the end of the line; on a line of its own when there is no room.
    package static func spread(_ left: String, _ right: String, width: Int) -> String {
        let gap = width - left.count - right.count
        return gap >= 2 ? left + String(repeating: " ", count: gap) + right : "\(left)\n    \(right)"
    }

    /// Breaks at spaces, later lines indented.
    package static func wrap(_ text: String, first: String, rest: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = first
        var isEmpty = true
        for word in text.split(separator: " ", omittingEmptySubsequences: true) {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = rest
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }
}
