import SourceModel
import StaticFindingModel

/// What each pass of a long loop needs for a moment is kept until the loop has ended, and nobody reads it then.
struct TemporaryPeak: Rule {
    static let name = "temporary-peak"
    static let summary = "what a loop makes in each pass is kept until its end, and is not read there"

    func look(at place: FunctionPlace, _ look: Look) {
        lookThrough(place.function.body ?? [], place, look)
    }

    private func lookThrough(_ statements: [Statement], _ place: FunctionPlace, _ look: Look) {
        for (index, statement) in statements.enumerated() {
            switch statement {
            case .variable(let variable):
                lookBehind(variable, statements[(index + 1)...], place, look)
            case .loop(let loop): lookThrough(loop.body, place, look)
            case .choice(let choice): for branch in choice.branches { lookThrough(branch, place, look) }
            default: break
            }
        }
    }

    private func lookBehind(
        _ variable: Variable, _ statements: ArraySlice<Statement>, _ place: FunctionPlace, _ look: Look
    ) {
        let uses = statements.filter { Captures.mentions([$0], [variable.name]) }
        guard case .loop(let loop)? = uses.first, Self.isLong(loop),
            uses.dropFirst().allSatisfy({ Self.onlyCounts($0, variable.name) }),
            Self.isList(variable) && Self.onlyAppends(loop.body, [variable.name])
                || Self.madeType(variable, look.module).map({ Self.isKeeper($0, look.module) }) == true
        else { return }
        look.report(
            Look.Suspicion(
                rule: name, confidence: .low, file: place.file, position: variable.position,
                message: "\(variable.name) keeps what each pass of the loop gives it until the loop has ended, and "
                    + "nothing reads it there.",
                fix: "make \(variable.name) inside of the loop", field: variable.name, holder: variable.name))
    }

    /// `0..<count`, or a thousand passes and more.
    private static func isLong(_ loop: Loop) -> Bool {
        guard case .other(let bounds, let operation)? = loop.sequence, ["..<", "..."].contains(operation),
            let last = bounds.last
        else { return false }
        switch last {
        case .name, .member: return true
        case .literal(.number(let text)): return Int(text.filter { $0 != "_" }).map { $0 >= 1_000 } ?? false
        default: return false
        }
    }

    private static func isList(_ variable: Variable) -> Bool {
        if case .literal(.emptyArray)? = variable.initializer { return true }
        return false
    }

    private static func madeType(_ variable: Variable, _ module: Module) -> TypeInfo? {
        guard case .call(let call)? = variable.initializer, call.arguments.isEmpty else { return nil }
        return call.name.flatMap { module.type(named: $0) }
    }

    /// A class that does nothing but add to one list.
    private static func isKeeper(_ type: TypeInfo, _ module: Module) -> Bool {
        let stored = type.properties.filter(\.isStored)
        guard type.isClass, type.inherited.isEmpty, stored.count == 1, let list = stored.first?.variable,
            list.isPrivate, isList(list), type.properties.allSatisfy(\.variable.accessors.isEmpty)
        else { return false }
        let users = module.uses.summaries(mentioning: list.name)
        return !users.isEmpty && users.allSatisfy { $0.type == type.path }
            && type.functions.allSatisfy { onlyAppends($0.function.body ?? [], [list.name, "self"]) }
    }

    /// Each mention of the names is `list.append(…)`.
    private static func onlyAppends(_ body: [Statement], _ names: Set<String>) -> Bool {
        var mentions = 0
        var appends = 0
        body.walk { part in
            switch part {
            case .name(let name, _) where names.contains(name): mentions += 1
            case .call(let call) where KnownTypes.keepingMethods.contains(call.name ?? ""):
                if let base = call.base, isList(base, names) { appends += 1 }
            default: break
            }
            return true
        }
        return mentions == appends
    }

    private static func isList(_ base: Expression, _ names: Set<String>) -> Bool {
        switch base {
        case .name(let name, _), .member(.name("self", _)?, let name, _): names.contains(name)
        default: false
        }
    }

    private static func onlyCounts(_ statement: Statement, _ list: String) -> Bool {
        var mentions = 0
        var counts = 0
        [statement].walk { part in
            switch part {
            case .name(list, _): mentions += 1
            case .member(.name(list, _)?, "count", _), .member(.name(list, _)?, "removeAll", _): counts += 1
            default: break
            }
            return true
        }
        return mentions == counts
    }
}
