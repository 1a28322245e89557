import SourceModel
import StaticFindingModel

/// A cache that is not told when memory is short, in a program that tells others.
struct UnwarnedCache: Rule {
    static let name = "memory-warning"
    static let summary = "a cache that nothing empties when memory is short, in a module that handles the warning"

    func look(at type: TypeInfo, _ look: Look) {
        guard type.isClass else { return }
        for property in type.properties where property.isOwning && property.variable.isPrivate {
            guard Self.isDictionary(property) else { continue }
            let memos = type.functions.map(\.function).filter { Self.isMemo($0, property) }
            if !memos.isEmpty { lookForUnwarned(type, property, Set(memos.map(\.name)), look) }
        }
    }

    private static func isDictionary(_ property: Property) -> Bool {
        if case .dictionary? = property.variable.type?.unwrapped { return true }
        return false
    }

    /// Gives what is in the dictionary, or makes it and puts it there.
    private static func isMemo(_ function: Function, _ property: Property) -> Bool {
        var reads = false
        var writes = false
        func isEntry(_ expression: Expression) -> Bool {
            guard case .element(let base, _, _) = expression else { return false }
            return UseCollector.lastName(base) == property.variable.name
        }
        for case .choice(let choice) in function.body ?? [] {
            for case .binding(let name, let value?) in choice.conditions where isEntry(value) {
                for case .leave(.returns, .name(name, _)?) in choice.branches.first ?? [] { reads = true }
            }
        }
        for case .expression(.assignment(let target, let value, "=", _)) in function.body ?? [] where isEntry(target) {
            if case .name = value { writes = true }
        }
        return reads && writes
    }

    private func lookForUnwarned(_ type: TypeInfo, _ property: Property, _ memos: Set<String>, _ look: Look) {
        let field = property.variable.name
        let warned = look.memoryWarnings
        let users = look.module.uses.summaries(mentioning: field).filter { user in
            let other = look.module.type(named: user.type).flatMap { look.module.property(field, of: $0) }
            return user.kind != .deinitializer && (other == nil || other?.type == type.path)
        }
        let ends = users.filter { $0.empties.contains(field) || $0.assigns.contains(field) }
        guard !warned.isEmpty, !warned.contains(where: { $0.place.type === type || $0.mentions(type.name) }),
            users.allSatisfy({ $0.type == type.path && !$0.removes.contains(field) && !$0.lends.contains(field) }),
            // Entries that go at other times bound it.
            ends.allSatisfy({ end in
                end.kind == .function && !memos.contains(end.function)
                    && look.calls.calls(of: end.function).allSatisfy { site in
                        !Self.mayBe(site, onA: type, look.module)
                            || warned.contains { $0.contains(site) } && Self.isKnown(site, type, look.module)
                    }
            })
        else { return }
        for site in look.calls.calls(of: type.name)
        where !warned.contains(where: { $0.mayReach(site.place) }) && !Self.isLocal(site)
            && !Self.isNamed(site, by: warned)
        {
            look.report(
                Look.Suspicion(
                    rule: name, confidence: .low, file: site.place.file, position: site.call.position,
                    message: "\(type.name).\(field) keeps what it makes, and nothing empties this one when memory is "
                        + "short; \(warned[0].place.name) handles the warning.",
                    fix: ends.first.map { "call \($0.function)() in a handler of the warning" }
                        ?? "empty \(field) in a handler of the warning",
                    unknowns: ["How much it keeps is not known."], field: field, holder: "\(type.name).\(field)"))
        }
    }

    /// A variable's value, which may end with the function.
    private static func isLocal(_ site: CallIndex.Site) -> Bool {
        var found = false
        guard site.place.function.kind != .accessor else { return false }
        (site.place.function.body ?? []).walkStatements { statement in
            if case .variable(let variable) = statement, variable.initializer?.position == site.call.position {
                found = true
            }
        }
        return found
    }

    /// The value of a property that a handler uses.
    private static func isNamed(_ site: CallIndex.Site, by warned: [MemoryWarningHandler]) -> Bool {
        site.place.function.kind == .accessor && warned.contains { $0.mentions(site.place.function.name) }
    }

    /// Whether the object that the call is for was made where it is declared, and is none that came from elsewhere.
    private static func isKnown(_ site: CallIndex.Site, _ type: TypeInfo, _ module: Module) -> Bool {
        guard let name = site.call.base.flatMap(UseCollector.lastName) else { return false }
        let function = site.place.function
        var all: [Variable] = []
        if function.rebinds(name) {
            (function.body ?? []).walkStatements {
                if case .variable(let variable) = $0, variable.name == name { all.append(variable) }
            }
        } else {
            all =
                module.types.compactMap { $0.property(name) }.filter { property in
                    guard let declared = property.variable.type ?? module.madeType(property) else { return true }
                    return module.type(of: declared, from: property.type) === type
                }.map(\.variable) + [module.global(named: name)].compactMap { $0 }
        }
        return !all.isEmpty
            && all.allSatisfy { variable in
                guard variable.isLet, case .call(let call)? = variable.initializer else { return false }
                return call.name == type.name
            }
    }

    /// Whether the call can be one of a method of that type.
    private static func mayBe(_ site: CallIndex.Site, onA type: TypeInfo, _ module: Module) -> Bool {
        guard let receiver = site.call.base.flatMap(UseCollector.lastName), receiver != "self" else {
            return site.place.type === type
        }
        let parameter = site.place.function.parameters.first { $0.name == receiver }?.type
        let property = site.place.type.flatMap { module.property(receiver, of: $0) }
        guard let declared = parameter ?? property.flatMap({ $0.variable.type ?? module.madeType($0) }) else {
            return true
        }
        return !module.resolve(declared).isCollection && module.type(of: declared, from: type.path) === type
    }
}

/// A handler of memory warnings, as far as names say so: `Instrumentation.onMemoryWarning { … }`.
struct MemoryWarningHandler {
    var arguments: [Argument]
    var place: FunctionPlace

    func contains(_ site: CallIndex.Site) -> Bool {
        guard site.place.file == place.file else { return false }
        var found = false
        for argument in arguments {
            argument.value.walk { part in
                if case .call(let inner) = part { found = found || inner.position == site.call.position }
                return !found
            }
        }
        return found
    }

    func mentions(_ name: String) -> Bool {
        var found = false
        for argument in arguments {
            argument.value.walk { part in
                switch part {
                case .name(name, _), .member(_, name, _): found = true
                default: break
                }
                return !found
            }
        }
        return found
    }

    /// Made in the same function, or by a method of the same object.
    func mayReach(_ other: FunctionPlace) -> Bool {
        if place.file == other.file && place.function.position == other.function.position { return true }
        return place.type != nil && place.type === other.type && !other.function.isStatic
    }
}

extension CallIndex {
    /// `MemoryWarning.observe { … }` too.
    var memoryWarnings: [MemoryWarningHandler] {
        func isOne(_ name: String?) -> Bool { name?.lowercased().contains("memorywarning") == true }
        return all.filter { site in
            !site.call.arguments.isEmpty
                && (isOne(site.call.name) || isOne(site.call.base.flatMap(UseCollector.lastName)))
        }.map { MemoryWarningHandler(arguments: $0.call.arguments, place: $0.place) }
    }
}
