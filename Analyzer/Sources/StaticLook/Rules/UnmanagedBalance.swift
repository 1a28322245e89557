import SourceModel
import StaticFindingModel

/// Retains by hand without a release on every path, and releases without a retain.
struct UnmanagedBalance: Rule {
    static let name = "unmanaged"
    static let summary = "an Unmanaged retain without a release on every path, or a release without a retain"

    func look(at place: FunctionPlace, _ look: Look) {
        guard let body = place.function.body else { return }
        check(body, place, look)
        // Closures are functions of their own.
        body.walk { part in
            if case .closure(let closure) = part { check(closure.body, place, look) }
            return true
        }
    }

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        guard let type = place.type, type.isClass, !look.module.isSingleton(type) else { return }
        (place.function.body ?? []).walk { part in
            if let chain = UnmanagedChain(part), chain.steps.first == "passRetained",
                case .name("self", _)? = chain.object
            {
                checkOwnRetain(chain, type, place, look)
                return false
            }
            return true
        }
    }

    /// An object that retains itself, and would have to die to release itself.
    private func checkOwnRetain(_ chain: UnmanagedChain, _ type: TypeInfo, _ place: FunctionPlace, _ look: Look) {
        guard !chain.steps.contains("release"), !chain.steps.contains("takeRetainedValue") else { return }
        let module = look.module
        let members = Set(type.properties.map(\.variable.name))
        let releasing = module.uses.summaries.filter { summary in
            summary.releases.contains { name in
                name == type.name || name == "?" || name == "Self"
                    || (summary.type == type.path && members.contains(name))
            }
        }
        let others = releasing.filter {
            $0.type != type.path || ($0.kind != .deinitializer && module.isReached($0, besidesDeinitOf: [type.path]))
        }
        guard others.isEmpty, releasing.contains(where: { $0.kind == .deinitializer }) else { return }
        let released = place.function.body.map { body in
            var found = false
            body.walk { part in
                if case .call(let call) = part, ["release", "takeRetainedValue"].contains(call.name ?? "") {
                    found = true
                }
                return !found
            }
            return found
        }
        guard released != true else { return }
        report(
            chain.position, .high,
            "The object retains itself, and only its deinit, which so can never run, releases it.",
            "use passUnretained, or release it in the method that ends its use", place, look, object: chain.object)
    }

    private func check(_ body: [Statement], _ place: FunctionPlace, _ look: Look) {
        for (index, statement) in body.enumerated() {
            switch statement {
            case .variable(let variable):
                guard let chain = variable.initializer.flatMap(UnmanagedChain.init) else { continue }
                if chain.retains, chain.steps.count == 1 {
                    follow(variable.name, Array(body[(index + 1)...]), chain, place, look)
                } else {
                    check(chain, isUsed: true, place, look)
                }
            case .choice(let choice):
                let parts = (choice.subject.map { [$0] } ?? []) + choice.conditions.flatMap(\.expressions)
                for part in parts { check(part, isUsed: true, place, look) }
                for part in choice.branches { check(part, place, look) }
            case .loop(let loop):
                loop.sequence.map { check($0, isUsed: true, place, look) }
                check(loop.body, place, look)
            case .later(let inner): check(inner, place, look)
            case .expression(let expression):
                check(expression, isUsed: body.count == 1 && place.function.result != nil, place, look)
            case .leave(_, let expression): if let expression { check(expression, isUsed: true, place, look) }
            case .function: break
            }
        }
    }

    private func check(_ expression: Expression, isUsed: Bool, _ place: FunctionPlace, _ look: Look) {
        if let chain = UnmanagedChain(expression) { return check(chain, isUsed: isUsed, place, look) }
        if case .assignment(.other(let parts, ""), let value, _, _) = expression, parts.isEmpty {
            return check(value, isUsed: false, place, look)
        }
        if case .assignment(.name("_", _), let value, _, _) = expression {
            return check(value, isUsed: false, place, look)
        }
        if case .closure = expression { return }
        for part in expression.parts { check(part, isUsed: true, place, look) }
    }

    private func check(_ chain: UnmanagedChain, isUsed: Bool, _ place: FunctionPlace, _ look: Look) {
        switch (chain.steps.first, chain.steps.last) {
        case ("passRetained", "takeUnretainedValue"):
            report(
                chain.position, look.module.givesBack(place) ? .low : .high,
                "passRetained retains, takeUnretainedValue does not take the retain back.",
                "use takeRetainedValue(), or passUnretained", place, look, object: chain.object)
        case ("passRetained", "passRetained") where !isUsed, ("passRetained", "retain") where !isUsed:
            report(
                chain.position, look.module.givesBack(place) ? .low : .high,
                "The retained handle is discarded: nothing can release it.",
                "keep the handle and release it, or use passUnretained", place, look, object: chain.object)
        case ("passRetained", "toOpaque"), ("passRetained", "passRetained"):
            guard !look.module.releasesByHand else { return }
            report(
                chain.position, .low, "Nothing in these sources releases what passRetained retains.",
                "release it where the pointer comes back: fromOpaque(…).release()", place, look, object: chain.object)
        case ("passUnretained", "release"), ("passUnretained", "takeRetainedValue"):
            report(
                chain.position, look.module.retainsByHand ? .low : .high,
                "This releases an object that nothing here has retained: its owner will not know.",
                "use takeUnretainedValue(), or retain it first", place, look, object: chain.object)
        case ("passUnretained", "retain"):
            report(
                chain.position, .low, "This retains by hand, and nothing in these sources releases.",
                "keep a strong reference instead, or release it", place, look, object: chain.object)
        default: break
        }
    }

    /// Follows a local handle that has been retained.
    private func follow(
        _ name: String, _ rest: [Statement], _ chain: UnmanagedChain, _ place: FunctionPlace, _ look: Look
    ) {
        let path = HandlePath(name: name, in: rest)
        let end = path.walk(rest, .retained)
        for position in path.releasedAgain {
            report(
                position, .high, "On this path \(name) has been released already.", "release it once", place, look)
        }
        guard path.leaks || end == .retained else { return }
        report(
            chain.position, .high,
            path.leaks && end != .retained
                ? "A path leaves the function before \(name) is released." : "\(name) is retained and never released.",
            "release it in a defer", place, look, object: chain.object)
    }

    private func report(
        _ position: Int, _ confidence: StaticFinding.Confidence, _ message: String, _ fix: String,
        _ place: FunctionPlace, _ look: Look, object: Expression? = nil
    ) {
        let type = object.flatMap { LocalTypes.typing(of: place, module: look.module).info(of: $0)?.path }
        look.report(
            Look.Suspicion(
                rule: name, confidence: confidence, file: place.file, position: position, message: message, fix: fix,
                place: place, type: type ?? "", holder: "Unmanaged"))
    }
}

/// Calls in a row on an unmanaged reference: `Unmanaged.passRetained(x).toOpaque()`.
struct UnmanagedChain {
    /// Names of the methods, in order.
    var steps: [String]
    /// Of the first call.
    var position: Int
    /// The object, where the chain begins with one.
    var object: Expression?

    var retains: Bool { steps.first == "passRetained" || steps.last == "retain" }

    init?(_ expression: Expression) {
        var steps: [String] = []
        var position: Int?
        var next: Expression? = expression
        while let current = next {
            guard case .call(let call) = current, let name = call.name, let base = call.base else { break }
            steps.append(name)
            position = call.position
            object = call.arguments.first?.value
            next = base
        }
        switch next {
        case .name("Unmanaged", _)?: break
        case .type(let type, _)? where type.name == "Unmanaged": break
        default: return nil
        }
        guard let position, !steps.isEmpty else { return nil }
        self.steps = steps.reversed()
        self.position = position
    }
}

/// Follows a retained handle along the paths of a function.
final class HandlePath {
    enum State { case retained, released, escaped }

    let name: String
    private(set) var leaks = false
    private(set) var releasedAgain: [Int] = []
    private var isDeferred = false

    /// The function itself releases the handle somewhere: lending the pointer gives nothing away.
    private var releasesItself = false

    init(name: String, in body: [Statement]) {
        self.name = name
        releasesItself = releases(body)
    }

    /// The state behind the statements; nil when they all leave.
    func walk(_ body: [Statement], _ start: State) -> State? {
        var state = start
        for statement in body {
            switch statement {
            case .later(let inner): if releases(inner) { isDeferred = true }
            case .leave(let kind, let expression):
                if let expression { state = look(expression, state) }
                if kind == .returns || kind == .throwing {
                    if let expression, mentions(expression), state == .retained { state = .escaped }
                    if state == .retained, !isDeferred { leaks = true }
                }
                return nil
            case .choice(let choice):
                for part in choice.conditions.flatMap(\.expressions) { state = look(part, state) }
                if let subject = choice.subject { state = look(subject, state) }
                let ends = choice.branches.map { walk($0, state) }
                var open = ends.compactMap { $0 }
                if !choice.isExhaustive { open.append(state) }
                guard let joined = join(open) else { return nil }
                state = joined
            case .loop(let loop):
                if let sequence = loop.sequence { state = look(sequence, state) }
                state = join([walk(loop.body, state), state].compactMap { $0 }) ?? state
            case .expression(let expression): state = look(expression, state)
            case .variable(let variable): if let value = variable.initializer { state = look(value, state) }
            case .function(let function): if releases(function.body ?? []) { state = .escaped }
            }
        }
        return isDeferred && state == .retained ? .released : state
    }

    /// The worst of the ways that come together.
    private func join(_ states: [State]) -> State? {
        if states.contains(.retained) { return .retained }
        return states.contains(.escaped) ? .escaped : states.first
    }

    private func look(_ expression: Expression, _ state: State) -> State {
        var state = state
        if case .call(let call) = expression, call.canThrow {
            for argument in call.arguments { state = look(argument.value, state) }
            if state == .retained, !isDeferred { leaks = true }
            return state
        }
        expression.walk { part in
            switch part {
            case .call(let call) where call.arguments.contains(where: { takesBack($0.value) }) && mentions(part):
                state = .escaped
                return false
            case .call(let call):
                guard case .name(name, _)? = call.base else { return true }
                switch call.name {
                case "release", "takeRetainedValue":
                    if state == .released || isDeferred { releasedAgain.append(call.position) }
                    if state != .escaped { state = .released }
                case "takeUnretainedValue", "_withUnsafeGuaranteedRef": break
                case "toOpaque" where releasesItself: break
                default: state = .escaped
                }
                return false
            case .name(name, _):
                state = .escaped
                return false
            case .closure(let closure):
                if Captures.mentions(closure.body, [name]) { state = .escaped }
                return false
            default: return true
            }
        }
        return state
    }

    /// A closure that turns an opaque pointer back into an owned reference: what C calls back with is released there.
    private func takesBack(_ expression: Expression) -> Bool {
        guard case .closure(let closure) = expression else { return false }
        var found = false
        closure.body.walk { part in
            if let chain = UnmanagedChain(part), chain.steps.first == "fromOpaque",
                ["release", "takeRetainedValue"].contains(chain.steps.last ?? "")
            {
                found = true
            }
            return !found
        }
        return found
    }

    private func mentions(_ expression: Expression) -> Bool { Captures.mentions(expression, [name]) }

    private func releases(_ body: [Statement]) -> Bool {
        var found = false
        body.walk { part in
            if case .call(let call) = part, case .name(name, _)? = call.base,
                ["release", "takeRetainedValue"].contains(call.name ?? "")
            {
                found = true
            }
            return !found
        }
        return found
    }
}

extension Module {
    /// Some function gives back a retain that was made by hand.
    var releasesByHand: Bool {
        uses.summaries.contains {
            $0.calls.contains("takeRetainedValue")
                || ($0.calls.contains("release") && $0.mentions.contains("Unmanaged"))
                || $0.releases.contains(where: isUnmanaged)
        }
    }

    /// Whether a type stores unmanaged references under that name.
    private func isUnmanaged(_ name: String) -> Bool {
        owners(ofProperty: name).contains { path in
            let property = type(named: path).flatMap { self.property(name, of: $0) }
            return property?.variable.type?.mentioned.contains("Unmanaged") == true
        }
    }

    /// Some function retains by hand.
    var retainsByHand: Bool {
        uses.summaries.contains {
            $0.calls.contains("passRetained") || ($0.calls.contains("retain") && $0.mentions.contains("Unmanaged"))
        }
    }

    /// Another function of the type gives back what was retained by hand.
    func givesBack(_ place: FunctionPlace) -> Bool {
        uses.summaries.contains {
            $0.type == place.type?.path && $0.function != place.function.name && !$0.releases.isEmpty
        }
    }
}
