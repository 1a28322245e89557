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
        var result: [UInt8] = []
        result.reserveCapacity(name.utf8.count)
        var wordStart = 0
        var mayBeModule = true
        for byte in name.utf8 {
            if byte == UInt8(ascii: "."), mayBeModule, result.count > wordStart {
                result.removeSubrange(wordStart...)
                mayBeModule = false
                continue
            }
            result.append(byte)
            guard !isIdentifier(byte) else { continue }
            wordStart = result.count
            mayBeModule = byte != UInt8(ascii: ".")
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
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
        for living in why ?? [] {
            if let type = living.type { names.insert(type) }
            for way in living.ways {
                for reference in way.references { names.formUnion([reference.to] + reference.via) }
                names.formUnion(way.references.dropFirst().map(\.from))
            }
        }
        for row in allocations?.byType ?? [] { names.insert(row.type) }
        for row in allocations?.byStack ?? [] { names.insert(row.type) }
        for generation in generations ?? [] { names.formUnion(generation.byType.map(\.type)) }
        return ShortNames(names)
    }
}
