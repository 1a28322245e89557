/// Writes types without their modules wherever no two types of the report are then the same, and those of the standard
/// library as sources write them.
package struct ShortNames: Sendable {
    private let short: [String: String]

    /// `names`: every type that the report speaks of.
    package init(_ names: Set<String>) {
        var full: [String: Set<String>] = [:]
        for name in names { full[Self.strip(TypeSugar.sugared(name)), default: []].insert(name) }
        var short: [String: String] = [:]
        for (stripped, originals) in full {
            for original in originals {
                short[original] = originals.count == 1 ? stripped : TypeSugar.sugared(original)
            }
        }
        self.short = short
    }

    /// The name to print.
    package subscript(_ name: String) -> String { short[name] ?? name }

    /// Takes the module off the name and off each of its generic arguments.
    package static func strip(_ name: String) -> String {
        var result = ""
        result.reserveCapacity(name.utf8.count)
        var module: Range<String.Index>?
        var isInside = false
        for token in NameTokens(name) {
            switch token.kind {
            case .identifier where !isInside && module == nil:
                module = token.range
                continue
            case .mark(".") where module != nil:
                (module, isInside) = (nil, true)
                continue
            default:
                if let word = module { result += name[word] }
                module = nil
                isInside = token.kind == .mark(".") || isInside && token.kind == .identifier
            }
            result += name[token.range]
        }
        if let word = module { result += name[word] }
        return result
    }
}
