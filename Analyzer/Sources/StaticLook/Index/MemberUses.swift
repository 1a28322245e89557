import SourceModel

/// What every function of the module does to members, found by their names alone: who empties, removes, calls.
struct MemberUses: Sendable {
    /// What one function does.
    struct Summary: Sendable {
        /// Path of the type; empty for a free function.
        var type: String
        var function: String
        var kind: Function.Kind
        var file: Int
        /// Of the function; 0 outside of functions.
        var position = 0
        /// Every name and member that it mentions.
        var mentions: Set<String> = []
        /// Every function and method that it calls or refers to.
        var calls: Set<String> = []
        /// Members that it sets to nil or to an empty collection, or empties by a method.
        var empties: Set<String> = []
        /// Members that it takes something out of.
        var removes: Set<String> = []
        /// Those of `empties` that no method does it to, and for the others the methods.
        var emptiesItself: Set<String> = []
        var emptiesByCall: [String: Set<String>] = [:]
        /// The same for `removes`.
        var removesItself: Set<String> = []
        var removesByCall: [String: Set<String>] = [:]
        /// Those of `removes` that keep entries, with the members that get what is taken out.
        var removesAside: [String: Set<String>] = [:]
        /// Functions to which it gives nil.
        var givesNil: Set<String> = []
        /// Functions that it calls, with the last names of what they are called on: empty for none.
        var receivers: [String: Set<String>] = [:]
        /// Parameters and local variables, with their types as far as they are written.
        var locals: [String: TypeReference?] = [:]
        /// Who can call it cannot be seen: other modules, or a framework.
        var isExposed = false
        /// Flags that it sets, as `stopped=yes`; anything but yes and no is `stopped=?`.
        var flags: Set<String> = []
        /// Names of types, and members, whose unmanaged references it gives back.
        var releases: Set<String> = []
        /// Members that it gives a new value to.
        var assigns: Set<String> = []
        /// Those that it gives a case of an enum.
        var assignsCase: Set<String> = []
        /// Members that it passes on as inout.
        var lends: Set<String> = []
        /// Members that it ends, as `member|method`: `timer|invalidate`.
        var ends: Set<String> = []

        func `is`(_ place: FunctionPlace?) -> Bool {
            place.map { file == $0.file && position == $0.function.position && function == $0.function.name } ?? false
        }

        func `is`(_ other: Summary) -> Bool {
            file == other.file && position == other.position && function == other.function
        }
    }

    let summaries: [Summary]
    private let byMember: [String: [Int]]
    private let byCall: [String: [Int]]

    init(files: [SourceFile]) {
        var summaries: [Summary] = []
        for (number, file) in files.enumerated() {
            func add(_ function: Function, type: String) {
                guard let body = function.body else { return }
                var summary = Summary(type: type, function: function.name, kind: function.kind, file: number)
                summary.position = function.position
                summary.isExposed = function.isExposed
                for parameter in function.parameters { summary.locals[parameter.name] = .some(parameter.type) }
                UseCollector.collect(body, into: &summary)
                summaries.append(summary)
            }
            for type in file.types {
                for part in type.functions { add(part, type: type.path) }
                for property in type.properties {
                    for part in property.accessors { add(part, type: type.path) }
                    guard let initializer = property.initializer else { continue }
                    var summary = Summary(type: type.path, function: property.name, kind: .accessor, file: number)
                    summary.position = property.position
                    UseCollector.collect([.expression(initializer)], into: &summary)
                    summaries.append(summary)
                }
            }
            for part in file.functions { add(part, type: "") }
            var summary = Summary(type: "", function: "main", kind: .function, file: number)
            UseCollector.collect(file.topLevel, into: &summary)
            if !file.topLevel.isEmpty { summaries.append(summary) }
        }
        self.summaries = summaries
        var byMember: [String: [Int]] = [:]
        var byCall: [String: [Int]] = [:]
        for (index, summary) in summaries.enumerated() {
            for name in summary.mentions { byMember[name, default: []].append(index) }
            for name in summary.receivers.keys { byCall[name, default: []].append(index) }
        }
        self.byMember = byMember
        self.byCall = byCall
    }

    /// Functions that mention a member.
    func summaries(mentioning name: String) -> [Summary] { byMember[name]?.map { summaries[$0] } ?? [] }

    /// Functions that call one with that name.
    func summaries(calling name: String) -> [Summary] { byCall[name]?.map { summaries[$0] } ?? [] }

    /// Functions, deinitialisers aside, that empty the member.
    func emptying(_ name: String) -> [Summary] {
        summaries(mentioning: name).filter { $0.empties.contains(name) && $0.kind != .deinitializer }
    }

    /// Functions that call one of `methods` on the member or with it.
    func ending(_ name: String, by methods: Set<String>) -> [Summary] {
        summaries(mentioning: name).filter { summary in methods.contains { summary.ends.contains("\(name)|\($0)") } }
    }
}

/// Reads one function's body.
enum UseCollector {
    static func collect(_ body: [Statement], into summary: inout MemberUses.Summary) {
        var found = summary
        var aliases: [String: String] = [:]
        var elements: Set<String> = []
        body.walkStatements { statement in
            switch statement {
            case .variable(let variable):
                if let source = variable.initializer.flatMap(lastName) { aliases[variable.name] = source }
                found.locals[variable.name] = .some(variable.type ?? typeMade(by: variable.initializer))
            case .choice(let choice):
                bind(choice.conditions, &aliases)
                nameLocals(choice.conditions, &found)
            case .loop(let loop):
                bind(loop.conditions, &aliases)
                nameLocals(loop.conditions, &found)
                for name in loop.names { found.locals.updateValue(nil, forKey: name) }
                elements.formUnion(loop.names)
                if let source = loop.sequence.flatMap(lastName) {
                    for name in loop.names { aliases[name] = source }
                }
            default: break
            }
        }
        let made = madeHere(body)
        for whole in body.expressions { nameLocked(whole, &aliases) }
        for whole in body.expressions {
            whole.walk { expression in
                note(expression, aliases, made, elements, &found)
                noteEnd(expression, in: whole, aliases, &found)
                return true
            }
        }
        if !found.removes.isEmpty { found.removesAside = Removals.aside(in: body) }
        for (alias, source) in aliases where found.mentions.contains(alias) { found.mentions.insert(source) }
        summary = found
    }

    /// `Reader` of `let reader = Reader(…)`.
    private static func typeMade(by value: Expression?) -> TypeReference? {
        guard case .call(let call)? = value else { return nil }
        switch call.callee {
        case .type(let type, _): return type
        case .name(let name, _) where name.first?.isUppercase == true: return .named([name], arguments: [])
        default: return nil
        }
    }

    /// What a lock hands to a closure goes by the lock's name: `entries.withLock { $0[key] = value }`.
    private static func nameLocked(_ whole: Expression, _ aliases: inout [String: String]) {
        whole.walk { part in
            if case .call(let call) = part, ObjectWalker.locking.contains(call.name ?? ""),
                let lock = call.base.flatMap(lastName), case .closure(let closure)? = call.arguments.last?.value
            {
                aliases[closure.parameters.first ?? "$0"] = lock
            }
            return true
        }
    }

    /// What a reference that is given back refers to: its type, where that is said, or the name it has.
    private static func released(_ call: Call, _ aliases: [String: String]) -> String {
        var next = call.base
        while let current = next {
            switch current {
            case .call(let inner) where inner.base != nil: next = inner.base
            case .type(.named(_, let arguments), _): return arguments.first?.name ?? "?"
            case .name("Unmanaged", _): return "?"
            default: return lastName(current).map { aliases[$0] ?? $0 } ?? "?"
            }
        }
        return "?"
    }

    /// Local variables that the function makes itself: `let red = Side(…)`.
    private static func madeHere(_ body: [Statement]) -> Set<String> {
        var result: Set<String> = []
        body.walkStatements { statement in
            if case .variable(let variable) = statement, case .call(let call)? = variable.initializer, makes(call) {
                result.insert(variable.name)
            }
        }
        return result
    }

    private static func makes(_ call: Call) -> Bool {
        switch call.callee {
        case .name(let name, _): name.first?.isUppercase == true
        case .type, .member(nil, "init", _): true
        default: false
        }
    }

    /// Names that conditions bind to something other than what bears the name.
    private static func nameLocals(_ conditions: [Condition], _ found: inout MemberUses.Summary) {
        for case .binding(let name, let value?) in conditions where lastName(value) != name {
            found.locals.updateValue(nil, forKey: name)
        }
    }

    private static func bind(_ conditions: [Condition], _ aliases: inout [String: String]) {
        for case .binding(let name, let value?) in conditions {
            if let source = lastName(value) ?? takenFrom(value) { aliases[name] = source }
        }
    }

    /// `bag` of `while let token = bag.popLast()`.
    private static func takenFrom(_ value: Expression) -> String? {
        guard case .call(let call) = value, KnownTypes.removingMethods.contains(call.name ?? "") else { return nil }
        return call.base.flatMap(lastName)
    }

    private static func note(
        _ expression: Expression, _ aliases: [String: String], _ made: Set<String>, _ elements: Set<String>,
        _ found: inout MemberUses.Summary
    ) {
        switch expression {
        case .type(let type, _): if let name = type.name { found.mentions.insert(name) }
        case .name(let name, _): found.mentions.insert(name)
        case .member(_, let name, _):
            found.mentions.insert(name)
            // A method that is passed on, not called: `forEach(center.removeObserver)`.
            if ["removeObserver", "invalidate", "cancel"].contains(name) { found.calls.insert(name) }
        case .call(let call):
            if let name = call.name {
                found.calls.insert(name)
                let receiver = call.base.map { lastName($0) ?? typeMade(by: $0)?.name ?? "?" } ?? ""
                let isKnown = (found.locals[receiver] ?? nil) != nil
                found.receivers[name, default: []].insert(isKnown ? receiver : aliases[receiver] ?? receiver)
                if call.arguments.contains(where: { if case .literal(.none) = $0.value { true } else { false } }) {
                    found.givesNil.insert(name)
                }
                if ["release", "takeRetainedValue"].contains(name) { found.releases.insert(released(call, aliases)) }
            }
            // `store(in:)` only adds.
            for argument in call.arguments where argument.isInout && call.name != "store" {
                if let name = lastName(argument.value) { found.lends.insert(name) }
            }
            guard let base = call.base.flatMap(lastName), let method = call.name else { return }
            // What is done to an element leaves it where it is.
            let names = [base] + (elements.contains(base) ? [] : aliases[base].map { [$0] } ?? [])
            // `removeAll { … }` takes out some, `take(3)` is no optional's.
            let isPartial =
                ["removeAll", "take"].contains(method) && call.arguments.contains { $0.label != "keepingCapacity" }
            if KnownTypes.emptyingMethods.contains(method), !isPartial {
                found.empties.formUnion(names)
                for name in names { found.emptiesByCall[name, default: []].insert(method) }
            } else if KnownTypes.removingMethods.contains(method) || isPartial {
                found.removes.formUnion(names)
                for name in names { found.removesByCall[name, default: []].insert(method) }
            }
        case .assignment(let target, let value, let operation, _):
            // What a function takes apart of its own making says nothing of what others make.
            if case .member(.name(let name, _)?, _, _) = target, made.contains(name) { return }
            assign(target, value, operation, aliases, &found)
        default: break
        }
    }

    private static let endings: Set<String> = [
        "removeObserver", "invalidate", "cancel", "dispose", "unsubscribe", "disconnect",
    ]

    /// `timer.invalidate()`, `center.removeObserver(token)`, `tokens.forEach { $0.cancel() }`.
    private static func noteEnd(
        _ expression: Expression, in whole: Expression, _ aliases: [String: String],
        _ found: inout MemberUses.Summary
    ) {
        let method: String
        var names: [String] = []
        switch expression {
        case .call(let call):
            guard let name = call.name, endings.contains(name) else { return }
            method = name
            names = name == "removeObserver" ? call.arguments.compactMap { lastName($0.value) } : []
            if let base = call.base.flatMap(lastName) { names.append(base) }
            if !names.contains(where: isAnonymous) { break }
            names += mentions(in: whole)
        case .member(_, "removeObserver", _), .member(_, "cancel", _), .member(_, "invalidate", _):
            // A method that is passed on, not called: `tokens.forEach(center.removeObserver)`.
            guard case .member(_, let name, _) = expression else { return }
            method = name
            names = mentions(in: whole)
        default: return
        }
        for name in names {
            found.ends.insert("\(name)|\(method)")
            if let source = aliases[name] { found.ends.insert("\(source)|\(method)") }
        }
    }

    private static func isAnonymous(_ name: String) -> Bool { name.hasPrefix("$") }

    private static func mentions(in whole: Expression) -> [String] {
        var result: [String] = []
        whole.walk { part in
            switch part {
            case .name(let name, _), .member(_, let name, _): result.append(name)
            default: break
            }
            return true
        }
        return result
    }

    private static func assign(
        _ target: Expression, _ value: Expression, _ operation: String, _ aliases: [String: String],
        _ found: inout MemberUses.Summary
    ) {
        if case .tuple(let parts, _) = target {
            var values = parts.map { _ in Expression.other([], operation: "") }
            if case .tuple(let given, _) = value, given.count == parts.count { values = given.map(\.value) }
            for (part, value) in zip(parts, values) { assign(part.value, value, operation, aliases, &found) }
            return
        }
        guard let last = lastName(target) else { return }
        let name = last.hasPrefix("$") ? aliases[last] ?? last : last
        let isElement = if case .element = target { true } else { false }
        if operation == "=", !isElement {
            switch value {
            case .literal(.yes): found.flags.insert("\(name)=yes")
            case .literal(.no): found.flags.insert("\(name)=no")
            default: found.flags.insert("\(name)=?")
            }
        }
        switch value {
        case .literal(.none) where isElement:
            found.removes.insert(name)
            found.removesItself.insert(name)
        case .literal(.none), .literal(.emptyArray), .literal(.emptyDictionary), .member(nil, _, _):
            found.empties.insert(name)
            found.emptiesItself.insert(name)
        case .call(let call) where !isElement && operation == "=" && call.arguments.isEmpty && makes(call):
            // A fresh one, with nothing in it: `callbacks = Callbacks()`.
            found.empties.insert(name)
            found.emptiesItself.insert(name)
            found.assigns.insert(name)
        case .closure(let closure) where !isElement && operation == "=" && closure.body.isEmpty:
            found.empties.insert(name)
            found.emptiesItself.insert(name)
            found.assigns.insert(name)
        case _ where !isElement && operation == "=" && isPart(value, of: name):
            // `observers = observers.filter { … }`
            found.removes.insert(name)
            found.removesItself.insert(name)
        default:
            guard !isElement, operation == "=" else { return }
            found.assigns.insert(name)
            if case .call(let call) = value, case .member(nil, let made, _) = call.callee, made != "init" {
                found.assignsCase.insert(name)
            }
        }
    }

    private static let narrowing: Set<String> = [
        "filter", "dropFirst", "dropLast", "prefix", "suffix", "Array", "compactMap", "drop", "subtracting",
        "intersection",
    ]

    /// Whether the value is what a call leaves of the member.
    private static func isPart(_ value: Expression, of name: String) -> Bool {
        guard case .call(let call) = value, narrowing.contains(call.name ?? "") else { return false }
        if let base = call.base { return lastName(base) == name || isPart(base, of: name) }
        return call.arguments.first.map { lastName($0.value) == name || isPart($0.value, of: name) } ?? false
    }

    /// "items" of `self.store.items[3]`.
    static func lastName(_ expression: Expression) -> String? {
        switch expression {
        case .name(let name, _): name
        case .member(_, let name, _): name
        case .element(let base, _, _): lastName(base)
        case .cast(let inner, _): lastName(inner)
        case .call(let call) where call.name == "takeRetainedValue": nil
        default: nil
        }
    }
}
