/// Writes metrics in the text format of OpenMetrics 1.0.
package struct OpenMetricsText {
    package static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    enum Kind: String { case gauge, counter, histogram }

    private var text = ""

    /// Begins a family: its samples follow. `unit` ends the name, as the format wants it.
    mutating func family(_ name: String, _ kind: Kind, unit: String? = nil, help: String) {
        text += "# TYPE \(name) \(kind.rawValue)\n"
        if let unit { text += "# UNIT \(name) \(unit)\n" }
        text += "# HELP \(name) \(Self.escaped(help))\n"
    }

    mutating func sample(_ name: String, _ labels: [(name: String, value: String)] = [], _ value: String) {
        text += name
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
            text += "{\(pairs.joined(separator: ","))}"
        }
        text += " \(value)\n"
    }

    mutating func sample(_ name: String, _ labels: [(name: String, value: String)] = [], _ value: UInt64) {
        sample(name, labels, "\(value)")
    }

    /// The whole text; nothing may follow.
    consuming func finished() -> String { text + "# EOF\n" }

    /// A label's value, or a help text, between its marks. Control characters but the line feed stay out of the text: readers
    /// print it.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{fffd}" : scalar)
            }
        }
        return result
    }

    /// Nanoseconds as seconds, exactly.
    static func seconds(_ nanoseconds: UInt64) -> String {
        let rest = String(nanoseconds % 1_000_000_000)
        var digits = String(repeating: "0", count: 9 - rest.count) + rest
        while digits.hasSuffix("0"), digits.count > 1 { digits.removeLast() }
        return "\(nanoseconds / 1_000_000_000).\(digits)"
    }
}
