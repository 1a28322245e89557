import GameprofBasics
import Yams

/// A number with its unit, as a budget writes it: `0`, `120_000`, `4 MB`, `12.5 %`, `2 ms`.
struct BudgetQuantity {
    var value: Double
    var unit: MeasureUnit

    /// A KB has 1,024 bytes, as in reports.
    private static let units: [String: (unit: MeasureUnit, factor: Double)] = [
        "": (.count, 1), "%": (.share, 0.01),
        "B": (.bytes, 1), "KB": (.bytes, 1_024), "MB": (.bytes, 1_048_576), "GB": (.bytes, 1_073_741_824),
        "KiB": (.bytes, 1_024), "MiB": (.bytes, 1_048_576), "GiB": (.bytes, 1_073_741_824),
        "ns": (.nanoseconds, 1), "µs": (.nanoseconds, 1e3), "us": (.nanoseconds, 1e3), "ms": (.nanoseconds, 1e6),
        "s": (.nanoseconds, 1e9),
    ]

    /// Throws `YAMLFileError` unless the node holds a number in one of `allowed`. A nought needs no unit.
    init(
        _ node: Node, name: String, units allowed: [MeasureUnit], isWhole: Bool = true, file: String
    ) throws {
        func refuse(_ sentence: String) -> YAMLFileError { YAMLFileError(file: file, node, sentence) }
        let wanted = Self.wanted(allowed, isWhole)
        guard let text = node.scalar?.string, !text.isEmpty else { throw refuse("\(name) needs \(wanted)") }
        let digits = text.prefix { $0.isASCII && ($0.isNumber || "._-+".contains($0)) }
        let suffix = text[digits.endIndex...].drop { $0 == " " }
        guard let number = Double(digits.replacing("_", with: "")), number.isFinite else {
            throw refuse("\(text) is not a quantity; \(name) needs \(wanted)")
        }
        guard let found = Self.units[String(suffix)] else {
            let near = NearestName.of(String(suffix), among: Self.units.keys.filter { !$0.isEmpty }.sorted())
            let hint = near.map { "; did you mean \($0)? \(name)" } ?? "; \(name)"
            throw refuse("the unit \(suffix) is not known\(hint) needs \(wanted)")
        }
        unit = found.unit
        if number == 0, unit == .count, !allowed.contains(.count), let first = allowed.first { unit = first }
        guard allowed.contains(unit) else {
            let unit = suffix.isEmpty ? "" : " is not measured in \(suffix): it"
            throw refuse("\(name)\(unit) needs \(wanted)")
        }
        guard number >= 0 else { throw refuse("\(name) cannot be negative") }
        value = number * found.factor
        if unit == .count, isWhole, value != value.rounded() { throw refuse("\(name) must be a whole number") }
        if unit == .share, value > 1 { throw refuse("\(name) cannot be more than 100 %") }
        if value > 1e18 { throw refuse("\(name) is larger than anything that can be measured") }
    }

    private static func wanted(_ units: [MeasureUnit], _ isWhole: Bool) -> String {
        let words = [
            (MeasureUnit.count, isWhole ? "a whole number" : "a number"),
            (.bytes, "a size such as 4 MB (B, KB, MB, GB)"),
            (.share, "a share such as 12 %"), (.nanoseconds, "a time such as 2 ms (ns, µs, ms, s)"),
        ]
        return words.filter { units.contains($0.0) }.map(\.1).joined(separator: " or ")
    }
}
