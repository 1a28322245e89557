/// Writes types without their modules wherever no two types of the report are then the same.
struct ShortNames: Sendable {
    private let short: [String: String]

    /// `names`: every type that the report speaks of.
    init(_ names: Set<String>) {
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
        var names = Set<String>()
        for finding in findings {
            names.insert(finding.type)
            names.formUnion(finding.objects.keys)
            for reference in finding.references {
                names.insert(reference.from)
                names.insert(reference.to)
                names.formUnion(reference.via)
            }
        }
        for row in allocations?.byType ?? [] { names.insert(row.type) }
        for row in allocations?.byStack ?? [] { names.insert(row.type) }
        return ShortNames(names)
    }
}
