import SourceModel

/// Types that a build's index knows where declarations do not state them.
extension Typing {
    /// The type of a member, or of what a call gives, by what the compiler made of the name.
    func indexedType(of expression: Expression) -> TypeReference? {
        switch expression {
        case .name(let name, let at) where locals[name] == nil && values[name] == nil:
            declaration(named: name, at: at)?.type
        case .member(_, let name, let at): declaration(named: name, at: at)?.type
        case .call(let call): call.name.flatMap { declaration(named: $0, at: call.position)?.result }
        default: nil
        }
    }

    /// The declared type that a member belongs to, where it is one that was read.
    func indexedOwner(ofMember name: String, at position: Int) -> TypeInfo? {
        let owner = declaration(named: name, at: position)?.owner ?? ""
        return owner.isEmpty ? nil : module.type(named: owner)
    }

    /// Those of the functions that a call means, where that is known.
    func meant(_ methods: [Method], by call: Call) -> [Method] {
        let isInitializer = methods.first?.function.kind == .initializer
        guard methods.count > 1, let name = isInitializer ? "init" : call.name,
            let declaration = declaration(named: name, at: call.position)
        else { return methods }
        let found = methods.filter { module.declares($0, usr: declaration.usr) }
        return found.isEmpty ? methods : found
    }

    private func declaration(named name: String, at position: Int) -> UsedDeclaration? {
        file.flatMap { module.declaration(named: name, file: $0, position: position) }
    }
}

extension Module {
    /// What the compiler made of a name; nil where no index knows the place.
    func declaration(named name: String, file: Int, position: Int) -> UsedDeclaration? {
        let source = files[file]
        guard let uses = surroundings.uses[source.path] else { return nil }
        return uses.declaration(
            named: name, line: source.lines.line(at: position), column: source.lines.column(at: position))
    }

    /// Whether the function is declared where the index says that the declaration is.
    func declares(_ method: Method, usr: String) -> Bool {
        declaration(named: method.function.name, file: method.file, position: method.function.position)?.usr == usr
    }
}
