import SourceModel

/// Gives expressions types, as far as declarations and initial values say them.
struct Typing {
    let module: Module
    /// Path of the enclosing type; empty outside of one.
    let path: String
    /// The file of the expressions; nil: what a build's index says of their places is not asked.
    let file: Int?
    let generics: [String: TypeReference]
    /// Types of parameters and local variables.
    var locals: [String: TypeReference] = [:]
    /// Initial values of local variables without a written type.
    var values: [String: Expression] = [:]

    /// Nil when it is not known.
    func type(of expression: Expression, depth: Int = 0) -> TypeReference? {
        guard depth < 16 else { return nil }
        return declaredType(of: expression, depth: depth) ?? indexedType(of: expression)
    }

    /// What declarations say.
    private func declaredType(of expression: Expression, depth: Int) -> TypeReference? {
        switch expression {
        case .name(let name, _): return type(ofName: name, depth: depth)
        case .member(let base, let name, _):
            if name == "init" { return base.flatMap(typeName) }
            if let base, let owner = typeName(base).flatMap({ module.type(of: $0, from: path) }) {
                if owner.cases.contains(where: { $0.name == name }) { return .named([owner.path], arguments: []) }
                return property(name, of: owner, depth: depth)
            }
            guard let base, let owner = info(of: base, depth: depth + 1) else { return nil }
            return property(name, of: owner, depth: depth)
        case .call(let call): return type(ofCall: call, depth: depth)
        case .element(let base, _, _): return type(of: base, depth: depth + 1).flatMap { module.resolve($0).element }
        case .cast(_, let type): return type
        case .other(let parts, "??"), .other(let parts, "?:"):
            return parts.first.flatMap { type(of: $0, depth: depth + 1) }
        case .closure: return .function(result: .other, isEscaping: false)
        case .array(let parts, _): return parts.first.flatMap { type(of: $0, depth: depth + 1) }.map { .array($0) }
        case .literal(.emptyArray): return .array(.other)
        case .literal(.emptyDictionary): return .dictionary(.other, .other)
        case .literal(.text), .other(_, "\\"): return .named(["String"], arguments: [])
        case .literal(.number): return .named(["Int"], arguments: [])
        default: return nil
        }
    }

    /// The declared type behind an expression.
    func info(of expression: Expression, depth: Int = 0) -> TypeInfo? {
        type(of: expression, depth: depth).flatMap(info)
    }

    func info(of reference: TypeReference) -> TypeInfo? {
        if let name = reference.name, let bound = generics[name] { return module.type(of: bound, from: path) }
        return module.type(of: reference, from: path)
    }

    private func type(ofName name: String, depth: Int) -> TypeReference? {
        if name == "self" || name == "Self" { return path.isEmpty ? nil : .named([path], arguments: []) }
        if let known = locals[name] { return known }
        if let value = values[name] {
            if case .name(name, _) = value { return property(name, depth: depth) }
            return type(of: value, depth: depth + 1)
        }
        return property(name, depth: depth)
            ?? module.global(named: name).flatMap { type(of: $0, depth: depth) }
    }

    private func property(_ name: String, depth: Int) -> TypeReference? {
        guard !path.isEmpty, let owner = module.type(named: path) else { return nil }
        return property(name, of: owner, depth: depth)
    }

    private func property(_ name: String, of owner: TypeInfo, depth: Int) -> TypeReference? {
        guard let property = module.property(name, of: owner) else { return nil }
        if let type = property.variable.type { return type }
        guard let initial = property.variable.initializer else { return nil }
        return Typing(module: module, path: property.type, file: property.file, generics: [:])
            .type(of: initial, depth: depth + 1)
    }

    private func type(of variable: Variable, depth: Int) -> TypeReference? {
        // Its initial value stands in whatever file.
        variable.type
            ?? variable.initializer.flatMap {
                Typing(module: module, path: path, file: nil, generics: generics).type(of: $0, depth: depth + 1)
            }
    }

    private func type(ofCall call: Call, depth: Int) -> TypeReference? {
        if let made = typeName(call.callee) { return made }
        guard let name = call.name else { return nil }
        if case .name = call.callee {
            if let owner = module.type(named: path), let method = module.methods(name, of: owner).first {
                return method.function.result
            }
            return module.functions(named: name).first?.result
        }
        guard let base = call.base else { return nil }
        if let owner = typeName(base).flatMap({ module.type(of: $0, from: path) }) ?? info(of: base, depth: depth + 1) {
            if owner.cases.contains(where: { $0.name == name }) { return .named([owner.path], arguments: []) }
            if let method = module.methods(name, of: owner).first { return method.function.result }
        }
        switch name {
        case "first", "last", "popLast", "removeFirst", "removeLast", "randomElement":
            return type(of: base, depth: depth + 1)?.element
        case "takeUnretainedValue", "takeRetainedValue": return nil
        default: return nil
        }
    }

    /// The type that an expression names: `Dialog` of `Dialog(…)`, `Outer.Inner` of `Outer.Inner(…)`.
    func typeName(_ expression: Expression) -> TypeReference? {
        switch expression {
        case .type(let type, _): return type
        case .name(let name, _):
            if name == "Self" { return path.isEmpty ? nil : .named([path], arguments: []) }
            guard name.first?.isUppercase == true, locals[name] == nil, values[name] == nil else { return nil }
            return .named([name], arguments: [])
        case .member(let base?, "init", _): return typeName(base)
        case .member(let base?, let name, _):
            guard name.first?.isUppercase == true, let outer = typeName(base), case .named(let names, _) = outer else {
                return nil
            }
            return .named(names + [name], arguments: [])
        default: return nil
        }
    }
}
