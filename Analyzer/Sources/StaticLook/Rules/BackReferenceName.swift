import SourceModel

/// Reads the names of properties that lead back to the owner of their object.
enum BackReferenceName {
    private static let words: Set<String> = [
        "parent", "owner", "superview", "superlayer", "container", "host", "enclosing", "backReference", "supervisor",
    ]

    static func isDelegate(_ name: String) -> Bool {
        name == "delegate" || name == "dataSource" || name.hasSuffix("Delegate") || name.hasSuffix("DataSource")
    }

    static func leadsBack(_ name: String) -> Bool {
        words.contains(name) || words.contains { isWord($0, beginning: name) }
    }

    /// For a value that `owner` keeps: there the owner's own name in small letters says so too.
    static func leadsBack(_ name: String, to owner: TypeInfo) -> Bool {
        leadsBack(name) || name.lowercased() == owner.name.lowercased()
    }

    private static func isWord(_ word: String, beginning name: String) -> Bool {
        name.hasPrefix(word) && name.dropFirst(word.count).first?.isUppercase == true
    }
}

extension Module {
    /// The strong stored property of `owner`, or of a type it inherits from, that holds objects of `part`.
    func property(of owner: TypeInfo, holding part: TypeInfo) -> Property? {
        let names = Set(lineage(of: part).map(\.name))
        // Another module does not know of the types of this one.
        let outsideNames = Set(lineage(of: part).filter { !isOwn(file: $0.file) }.map(\.name))
        for ancestor in lineage(of: owner) {
            for property in ancestor.properties where property.isOwning {
                let type = property.variable.type ?? madeType(property)
                let names = isOwn(file: property.file) ? names : outsideNames
                if let type, !names.isDisjoint(with: kept(by: type, in: property.type)) { return property }
            }
        }
        return nil
    }

    /// The type that a property's initial value says.
    func madeType(_ property: Property) -> TypeReference? {
        property.variable.initializer.flatMap {
            Typing(module: self, path: property.type, file: property.file, generics: [:]).type(of: $0)
        }
    }

    /// Whether objects of `owner` keep objects of `part` alive, through at most `depth` properties.
    func owns(_ owner: TypeInfo, _ part: TypeInfo, depth: Int = 3) -> Bool {
        if property(of: owner, holding: part) != nil { return true }
        guard depth > 1 else { return false }
        for ancestor in lineage(of: owner) {
            for property in ancestor.properties where property.isOwning {
                guard let type = property.variable.type ?? madeType(property) else { continue }
                for name in kept(by: type, in: property.type) {
                    if let next = self.type(named: name, from: ancestor.path), next !== owner, next.isDeclared,
                        owns(next, part, depth: depth - 1)
                    {
                        return true
                    }
                }
            }
        }
        return false
    }

    /// Whether what is stored as a type keeps objects of `part` alive: itself, in a value, or in a case's payload.
    func keeps(_ stored: TypeReference, in path: String, _ part: TypeInfo, depth: Int) -> Bool {
        for name in kept(by: stored, in: path) {
            guard let type = type(named: name, from: path), type.isDeclared else { continue }
            if type === part { return true }
            guard depth > 1, type.isValue else { continue }
            let payloads = type.cases.flatMap(\.payload).map(\.type)
            let stored = type.properties.filter(\.isOwning).compactMap { $0.variable.type ?? madeType($0) }
            if (payloads + stored).contains(where: { keeps($0, in: type.path, part, depth: depth - 1) }) { return true }
        }
        return false
    }
}
