import SourceModel
import StaticFindingModel

/// A pool that is asked for what is never in it: all keys are constants, and this one is not among those it has.
struct ReuseMiss: Rule {
    static let name = "reuse-miss"
    static let summary = "a pool is asked for a constant key under which nothing is ever kept"

    func look(at type: TypeInfo, _ look: Look) {
        for property in type.properties where property.isOwning && property.variable.isPrivate {
            lookForSearches(of: property, in: type, look)
            lookForKeys(of: property, in: type, look)
        }
    }

    /// `cells.firstIndex { $0.identifier == identifier }` in a function that takes out what it finds.
    private func lookForSearches(of property: Property, in type: TypeInfo, _ look: Look) {
        guard case .array(let element)? = property.variable.type.map(look.module.resolve)?.unwrapped,
            let kept = look.module.type(of: element, from: type.path)
        else { return }
        for method in type.functions {
            var searches: [(Call, key: String, wanted: Expression)] = []
            var takesOut = false
            (method.function.body ?? []).walk { part in
                guard case .call(let call) = part, call.base.flatMap(UseCollector.lastName) == property.variable.name
                else { return true }
                takesOut = takesOut || KnownTypes.removingMethods.contains(call.name ?? "")
                if call.name == "firstIndex" || call.name == "lastIndex", let search = Self.comparison(in: call) {
                    searches.append((call, search.key, search.wanted))
                }
                return true
            }
            let place = FunctionPlace(function: method.function, type: type, file: method.file)
            for search in searches where takesOut {
                guard let key = look.module.property(search.key, of: kept), let there = look.calls.texts(of: key),
                    let wanted = look.calls.texts(of: search.wanted, in: place, at: search.0.position)
                else { continue }
                report(wanted, amongst: there, of: "\(kept.name).\(search.key)", in: property, of: type, look)
            }
        }
    }

    /// `identifier` and what it is compared with, of `{ $0.identifier == wanted }`.
    private static func comparison(in call: Call) -> (key: String, wanted: Expression)? {
        guard case .closure(let closure)? = call.arguments.last?.value, closure.body.count == 1,
            case .expression(.other(let sides, "==")) = closure.body[0], sides.count == 2
        else { return nil }
        let element = closure.parameters.first ?? "$0"
        for (one, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            if case .member(.name(element, _)?, let key, _) = one { return (key, other) }
        }
        return nil
    }

    /// A dictionary whose entries all functions of its type read and write by constants.
    private func lookForKeys(of property: Property, in type: TypeInfo, _ look: Look) {
        guard case .dictionary? = property.variable.type.map(look.module.resolve)?.unwrapped,
            case .literal(.emptyDictionary)? = property.variable.initializer,
            look.module.uses.summaries(mentioning: property.variable.name).allSatisfy({ $0.type == type.path })
        else { return }
        var uses = KeyUses(of: property.variable.name)
        for method in type.functions {
            guard !method.function.rebinds(property.variable.name) else { return }
            uses.place = FunctionPlace(function: method.function, type: type, file: method.file)
            for whole in (method.function.body ?? []).expressions { uses.read(whole) }
        }
        for inner in type.properties where !inner.variable.accessors.isEmpty {
            let bodies = inner.variable.accessors.flatMap { $0.body ?? [] }
            if Captures.mentions(bodies, [property.variable.name]) { return }
        }
        guard !uses.isIncomplete else { return }
        func texts(_ keys: [KeyUses.Key]) -> [CallIndex.Constant]? {
            var result: [CallIndex.Constant] = []
            for key in keys {
                guard let found = look.calls.texts(of: key.value, in: key.place, at: key.position) else { return nil }
                result += found
            }
            return result
        }
        guard !uses.reads.isEmpty, let there = texts(uses.writes), let wanted = texts(uses.reads) else { return }
        report(wanted, amongst: there, of: "the keys", in: property, of: type, look)
    }

    private func report(
        _ wanted: [CallIndex.Constant], amongst there: [CallIndex.Constant], of key: String, in property: Property,
        of type: TypeInfo, _ look: Look
    ) {
        let known = Set(there.map(\.text))
        guard !known.isEmpty else { return }
        let list = known.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        for constant in wanted where !known.contains(constant.text) {
            look.report(
                Look.Suspicion(
                    rule: name, confidence: .medium, file: constant.file, position: constant.position,
                    message: "\(type.name).\(property.variable.name) is asked for \"\(constant.text)\" and finds "
                        + "nothing: \(key) can only be \(list).",
                    fix: "use one constant for both", field: property.variable.name,
                    holder: "\(type.name).\(property.variable.name)"))
        }
    }
}

/// The keys by which functions read and write a dictionary.
private struct KeyUses {
    struct Key {
        var value: Expression
        var place: FunctionPlace
        var position: Int
    }

    private let name: String
    var place: FunctionPlace?
    private(set) var reads: [Key] = []
    private(set) var writes: [Key] = []
    /// It is used in another way too.
    private(set) var isIncomplete = false

    init(of name: String) { self.name = name }

    private func isMember(_ expression: Expression) -> Bool {
        switch expression {
        case .name(name, _), .member(.name("self", _)?, name, _): true
        default: false
        }
    }

    mutating func read(_ expression: Expression, isWritten: Bool = false) {
        switch expression {
        case .element(let base, let arguments, let at) where isMember(base):
            guard let key = arguments.first, let place else { return }
            let found = Key(value: key.value, place: place, position: at)
            if isWritten { writes.append(found) } else { reads.append(found) }
            for argument in arguments { read(argument.value) }
        case .element(let base, let arguments, _):
            read(base, isWritten: isWritten)
            for argument in arguments { read(argument.value) }
        case .assignment(let target, .literal(.none), _, _):
            if case .element(let base, _, _) = target, isMember(base) { return }
            read(target, isWritten: true)
        case .assignment(let target, let value, _, _):
            read(target, isWritten: true)
            read(value)
        case .call(let call):
            if let base = call.base, isMember(base), ["removeAll", "removeValue"].contains(call.name ?? "") {
                // Takes out.
            } else if let base = call.base {
                read(base, isWritten: KnownTypes.keepingMethods.contains(call.name ?? ""))
            } else {
                read(call.callee)
            }
            for argument in call.arguments { read(argument.value, isWritten: argument.isInout) }
        case .member(let base?, let member, _) where isMember(base):
            isIncomplete = isIncomplete || !["count", "isEmpty"].contains(member)
        case _ where isMember(expression): isIncomplete = true
        case .member(let base, let member, _):
            // Another object's.
            isIncomplete = isIncomplete || member == name
            if let base { read(base, isWritten: isWritten) }
        default: for part in expression.parts { read(part) }
        }
    }
}
