/// Writes types without their modules wherever no two types of the report are then the same.
struct ShortNames: Sendable {
    private let short: [String: String]

    /// `names`: every type that the report speaks of.
    init(_ names: some Sequence<String>) {
        var full: [String: Set<String>] = [:]
        for name in names { full[Self.strip(name), default: []].insert(name) }
        var short: [String: String] = [:]
        for (stripped, originals) in full {
            for original in originals { short[original] = originals.count == 1 ? stripped : original }
        }
        self.short = short
    }

    /// The name to print.
    subscript(_ name: String) -> String { short[name] ?? name }

    /// Takes the module off the name and off each of its generic arguments.
    static func strip(_ name: String) -> String {
        var result = ""
        var word = ""
        var atStart = true
        for character in name {
            if character == ".", atStart, !word.isEmpty {
                word = ""
                atStart = false
            } else if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
            } else {
                result += word
                word = ""
                result.append(character)
                atStart = character != "."
            }
        }
        return result + word
    }
}

extension Report {
    /// The types of the findings and of the allocation rows.
    var typeNames: ShortNames {
        let references = findings.flatMap(\.references)
        let found = findings.map(\.type) + findings.flatMap { Array($0.objects.keys) }
        let rows = (allocations?.byType.map(\.type) ?? []) + (allocations?.byStack.map(\.type) ?? [])
        return ShortNames(found + rows + references.flatMap { [$0.from, $0.to] + $0.via })
    }
}
