import SourceModel

/// Types that know an object without keeping it alive: a box with a weak variable, a property wrapper around one.
struct WeakHolders: Sendable {
    private let weak: Set<String>
    private let declared: Set<String>

    /// Looks at the declarations of the types, extensions aside.
    init(_ types: some Sequence<TypeDeclaration>) {
        var weak: Set<String> = []
        var strong: Set<String> = []
        for type in types where type.kind != .extension {
            if Self.isWeak(type) { weak.insert(type.name) } else { strong.insert(type.name) }
        }
        self.weak = weak.subtracting(strong)
        declared = weak.union(strong)
    }

    /// Whether what is put into a value of that type is not kept by it. A type that was not seen says so by its name.
    func contains(_ name: String) -> Bool {
        weak.contains(name) || (!declared.contains(name) && (name.hasPrefix("Weak") || name.hasPrefix("Unowned")))
    }

    /// Of all that it stores, what its type parameters, or any object, could be is weak.
    private static func isWeak(_ type: TypeDeclaration) -> Bool {
        let stored = type.properties.filter { !$0.isComputed && !$0.isStatic }
        let held = stored.filter { $0.ownership != .strong }
        guard !held.isEmpty, !type.generics.isEmpty || type.attributes.contains("propertyWrapper") else { return false }
        let objects = Set(type.generics.keys).union(held.compactMap { $0.type?.name }).union(["AnyObject", "Any"])
        return !stored.contains { variable in
            variable.ownership == .strong && variable.type.map { !objects.isDisjoint(with: $0.mentioned) } ?? false
        }
    }
}
