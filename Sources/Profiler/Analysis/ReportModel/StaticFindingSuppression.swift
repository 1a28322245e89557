import GameprofBasics

extension Suppression {
    /// Whether every pattern that it has matches the suspect. Patterns of findings apply where they mean the same:
    /// `type` the owner or the type of the property, `field` the property, `function` the function; `module` never.
    public func matches(_ suspect: StaticFinding) -> Bool {
        guard kinds.isEmpty, module == nil else { return false }
        guard type != nil || field != nil || function != nil || rule != nil || file != nil else { return false }
        if let rule, !rule.matches(suspect.rule) { return false }
        if let file, !file.matches(suspect.file) { return false }
        let holder = FieldName.first(suspect.holder)
        if let type, ![suspect.type, TypeName.bare(suspect.type), holder].contains(where: type.matches) {
            return false
        }
        let fields = [suspect.holder, "\(TypeName.bare(suspect.type)).\(suspect.field)"]
        if let field, !fields.contains(where: field.matches) { return false }
        if let function, !function.matches(suspect.function) { return false }
        return true
    }
}

extension Analysis {
    /// Silences what a suppression matches and notes those that matched nothing.
    public mutating func silence(_ suppressions: [Suppression]) {
        var used = Set<Int>()
        for index in entries.indices {
            guard let number = suppressions.firstIndex(where: { $0.matches(entries[index].suspect) }) else { continue }
            used.insert(number)
            entries[index].silencedBy = entries[index].silencedBy ?? suppressions[number].name
        }
        unusedSuppressions = suppressions.indices.filter { number in
            let isStatic = suppressions[number].rule != nil || suppressions[number].file != nil
            return isStatic && !used.contains(number)
        }.map { suppressions[$0].name }
    }
}
