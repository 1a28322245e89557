import SourceModel

/// What a function takes out of a collection without ever emptying it: entries beyond a limit, and those that it puts
/// into another member.
struct Removals {
    private struct Tally {
        var all = 0
        var aside = 0
        var destinations: Set<String> = []
    }

    private var tallies: [String: Tally] = [:]

    /// Members of which every entry that is taken out is one of those, with the other members.
    static func aside(in body: [Statement]) -> [String: Set<String>] {
        var removals = Removals()
        removals.count(body)
        return removals.tallies.filter { $0.value.all == $0.value.aside }.mapValues(\.destinations)
    }

    private mutating func count(_ body: [Statement]) {
        var taken: [(name: String, from: String)] = []
        body.walk { part in
            if case .call(let call) = part, let member = Self.member(call) {
                tallies[member, default: Tally()].all += 1
            }
            return true
        }
        guard !tallies.isEmpty else { return }
        func bind(_ name: String, _ value: Expression?) {
            if case .call(let call)? = value, let member = Self.member(call) { taken.append((name, member)) }
        }
        body.walkStatements { statement in
            switch statement {
            case .variable(let variable): bind(variable.name, variable.initializer)
            case .choice(let choice):
                for case .binding(let name, let value) in choice.conditions { bind(name, value) }
                limit(choice.conditions, choice.branches.flatMap { $0 })
            case .loop(let loop):
                for case .binding(let name, let value) in loop.conditions { bind(name, value) }
                limit(loop.conditions, loop.body)
            default: break
            }
        }
        for (name, member) in taken { move(name, from: member, body) }
    }

    /// `popLast` of `entries.popLast()` takes out of "entries".
    private static func member(_ call: Call) -> String? {
        guard KnownTypes.removingMethods.contains(call.name ?? "") else { return nil }
        return call.base.flatMap(UseCollector.lastName)
    }

    /// `if entries.count > limit { entries.removeFirst() }`
    private mutating func limit(_ conditions: [Condition], _ body: [Statement]) {
        for condition in conditions where Self.isLimit(condition) {
            guard case .test(.other(let parts, _)) = condition, case .member(let counted?, "count", _) = parts[0],
                let member = UseCollector.lastName(counted)
            else { continue }
            body.walk { part in
                if case .call(let call) = part, Self.member(call) == member { tallies[member]?.aside += 1 }
                return true
            }
        }
    }

    /// `entries.count > limit`, where the limit is not zero.
    static func isLimit(_ condition: Condition) -> Bool {
        guard case .test(.other(let parts, let operation)) = condition, [">", ">="].contains(operation),
            parts.count == 2
        else { return false }
        return !isNothing(parts[1])
    }

    private static func isNothing(_ expression: Expression) -> Bool {
        if case .literal(.number("0")) = expression { true } else { false }
    }

    /// `undone.append(step)` for the `step` that was taken out of `done`.
    private mutating func move(_ name: String, from member: String, _ body: [Statement]) {
        var destination: String?
        body.walk { part in
            if case .call(let call) = part, KnownTypes.keepingMethods.contains(call.name ?? ""),
                call.arguments.contains(where: { if case .name(name, _) = $0.value { true } else { false } })
            {
                destination = call.base.flatMap(UseCollector.lastName)
            }
            return destination == nil
        }
        guard let destination, destination != member else { return }
        tallies[member]?.aside += 1
        tallies[member]?.destinations.insert(destination)
    }
}
