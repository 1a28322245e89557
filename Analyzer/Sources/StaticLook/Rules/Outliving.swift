import SourceModel

extension Module {
    /// Why objects of `other` may well live as long as those of `type`, which refer to them without owning them.
    func reasonToOutlive(_ other: TypeInfo, _ type: TypeInfo) -> String? {
        if property(of: type, holding: other) != nil {
            return "The \(type.name) also keeps objects of \(other.name): whether this one is among them is not known."
        }
        if let outer = self.type(named: other.path.enclosing), !other.path.enclosing.isEmpty,
            property(of: outer, holding: other) != nil, property(of: outer, holding: type) != nil
        {
            return "The \(outer.name) keeps both: whether it lets them go together is not known."
        }
        let keepers = types.filter { third in
            third !== other && third !== type && property(of: third, holding: other) != nil
                && property(of: third, holding: type) != nil
        }
        if other !== type, let third = keepers.first {
            return "The \(third.name) keeps both: whether it lets them go together is not known."
        }
        let makers = uses.summaries.filter { $0.calls.contains(type.name) }
        if !makers.isEmpty, makers.allSatisfy({ $0.type == other.path }), !isKeptAnywhere(type) {
            return "Only the \(other.name) makes one, and no property keeps it: whether it gets out is not known."
        }
        return nil
    }

    /// Whether a stored property of any type, or a global variable, keeps objects of the type.
    private func isKeptAnywhere(_ type: TypeInfo) -> Bool {
        let globals = files.lazy.flatMap(\.globals).contains { variable in
            variable.type.map { kept(by: $0, in: "").contains(type.name) } ?? true
        }
        return globals || types.contains { property(of: $0, holding: type) != nil }
    }
}

extension String {
    /// "Outer" of `Outer.Inner`; empty outside of a type.
    fileprivate var enclosing: String { lastIndex(of: ".").map { String(self[..<$0]) } ?? "" }
}
