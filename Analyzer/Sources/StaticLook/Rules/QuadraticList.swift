import SourceModel
import StaticFindingModel

/// Elements of a linked list by their number, in a loop.
struct QuadraticList: Rule {
    static let name = "quadratic-list"
    static let summary = "a linked list is walked from its head for each step of a loop"

    private static let looping: Set<String> = [
        "map", "forEach", "reduce", "filter", "flatMap", "compactMap", "allSatisfy", "contains", "first", "sorted",
        "min", "max",
    ]

    func look(at place: FunctionPlace, _ look: Look) {
        guard let body = place.function.body, look.module.hasListWalkers else { return }
        let typing = LocalTypes.typing(of: place, module: look.module)
        body.walkStatements { statement in
            if case .loop(let loop) = statement {
                var varying = Set(loop.names)
                varying.formUnion(assigned(in: loop.body))
                let expressions = loop.conditions.flatMap(\.expressions) + loop.body.expressions
                check(expressions, varying, typing, place, look)
            }
        }
        body.walk { part in
            if case .call(let call) = part, Self.looping.contains(call.name ?? "") {
                for case .closure(let closure) in call.arguments.map(\.value) {
                    let varying = Set(closure.parameters.isEmpty ? ["$0", "$1"] : closure.parameters)
                    check(closure.body.expressions, varying.union(assigned(in: closure.body)), typing, place, look)
                }
            }
            return true
        }
    }

    private func assigned(in body: [Statement]) -> Set<String> {
        var result: Set<String> = []
        body.walk { part in
            if case .assignment(.name(let name, _), _, _, _) = part { result.insert(name) }
            return true
        }
        return result
    }

    private func check(
        _ expressions: [Expression], _ varying: Set<String>, _ typing: Typing, _ place: FunctionPlace, _ look: Look
    ) {
        for expression in expressions {
            expression.walk { part in
                if let (position, walker) = walk(part, varying, typing, look.module) {
                    report(position, walker, place, look)
                }
                return true
            }
        }
    }

    /// A use of a member that walks a list, whose arguments vary in the loop.
    private func walk(
        _ part: Expression, _ varying: Set<String>, _ typing: Typing, _ module: Module
    ) -> (Int, ListWalker)? {
        switch part {
        case .call(let call):
            guard let name = call.name, call.arguments.contains(where: { Captures.mentions($0.value, varying) }),
                let walker = walker(name, .method, base: call.base, typing, module)
            else { return nil }
            return (call.position, walker)
        case .element(let base, let arguments, let at):
            guard arguments.contains(where: { Captures.mentions($0.value, varying) }),
                let walker = walker("subscript", .subscription, base: base, typing, module)
            else { return nil }
            return (base.position ?? at, walker)
        case .member(let base?, let name, let at):
            return walker(name, .property, base: base, typing, module).map { (at, $0) }
        default: return nil
        }
    }

    private func walker(
        _ name: String, _ kind: ListWalker.Kind, base: Expression?, _ typing: Typing, _ module: Module
    ) -> ListWalker? {
        let candidates = module.listWalkers[name]?.filter { $0.kind == kind } ?? []
        guard !candidates.isEmpty else { return nil }
        guard let base else { return candidates.first { $0.type == typing.path } }
        guard let owner = typing.info(of: base) else { return nil }
        let lineage = module.lineage(of: owner).map(\.path)
        return candidates.first { lineage.contains($0.type) }
    }

    private func report(_ position: Int, _ walker: ListWalker, _ place: FunctionPlace, _ look: Look) {
        let type = walker.type.split(separator: ".").last ?? ""
        look.report(
            Look.Suspicion(
                rule: name, confidence: .high, file: place.file, position: position,
                message: "\(type).\(walker.name) walks the list from its head, once for each step of this loop: "
                    + "the work grows with the square of the length.",
                fix: "walk the list once, from element to element, or keep its elements in an array", place: place,
                type: walker.type, field: walker.name, holder: "\(type).\(walker.name)"))
    }
}

/// A member that walks a linked list from its head.
struct ListWalker: Sendable {
    enum Kind: Sendable { case method, subscription, property }

    var type: String
    var name: String
    var kind: Kind

    /// Finds them by their shape: a loop in which a variable becomes its own successor.
    static func find(in types: [TypeInfo]) -> [String: [ListWalker]] {
        var result: [String: [ListWalker]] = [:]
        for type in types {
            for method in type.functions where !method.function.parameters.isEmpty {
                guard let body = method.function.body, walks(body), isByNumber(method.function) else { continue }
                let kind: Kind = method.function.kind == .subscription ? .subscription : .method
                result[method.function.name, default: []].append(
                    ListWalker(type: type.path, name: method.function.name, kind: kind))
            }
            for property in type.properties where property.variable.isComputed {
                guard let getter = property.variable.accessors.first(where: { $0.name == "get" }),
                    walks(getter.body ?? []), property.variable.type?.name == "Int"
                else { continue }
                result[property.variable.name, default: []].append(
                    ListWalker(type: type.path, name: property.variable.name, kind: .property))
            }
        }
        return result
    }

    private static func isByNumber(_ function: Function) -> Bool {
        function.parameters.contains { ["Int", "Index", "UInt"].contains($0.type.name ?? "") }
    }

    private static func walks(_ body: [Statement]) -> Bool {
        var found = false
        body.walkStatements { statement in
            guard !found, case .loop(let loop) = statement else { return }
            var aliases: [String: String] = [:]
            for case .binding(let name, .name(let source, _)?) in loop.conditions { aliases[name] = source }
            for expression in loop.body.expressions {
                guard case .assignment(.name(let target, _), let value, "=", _) = expression,
                    case .member(.name(let source, _)?, let member, _) = value,
                    source == target || aliases[source] == target, isSuccessor(member)
                else { continue }
                found = true
            }
        }
        return found
    }

    private static func isSuccessor(_ name: String) -> Bool {
        ["next", "tail", "rest", "successor", "link", "previous", "prev"].contains(name) || name.hasPrefix("next")
    }
}
