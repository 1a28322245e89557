import SourceModel
import StaticFindingModel

/// A task that `self` stores, and that holds it while it loops for ever.
struct EndlessTask: Rule {
    static let name = "endless-task"
    static let summary = "a task that loops for ever holds self, which stores the task"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        guard let type = place.type, type.isClass, !look.module.isSingleton(type), !place.function.isStatic else {
            return
        }
        for site in flows.sites where isTask(site.call) {
            guard let path = site.storage, let closure = site.closures.last,
                holdsSelf(closure, site, type, look.module),
                let loop = EndlessLoop.find(in: closure.body, type: type, module: look.module)
            else { continue }
            report(site, in: path, closure, loop, place, look)
        }
    }

    private func isTask(_ call: Call) -> Bool {
        if ["Task", "Thread"].contains(call.name ?? ""), call.base == nil { return true }
        if ["detachNewThread", "async"].contains(call.name ?? "") { return true }
        guard call.name == "detached", let base = call.base else { return false }
        if case .name("Task", _) = base { return true }
        if case .type(let type, _) = base { return type.name == "Task" }
        return false
    }

    /// A task's closure captures `self` without saying so.
    private func holdsSelf(_ closure: Closure, _ site: CallSite, _ type: TypeInfo, _ module: Module) -> Bool {
        switch Captures.ownership(closure, of: ["self"]) {
        case .strong: return true
        case .weak: return unwrapsBeforeLoop(closure.body)
        case .unowned, .unownedUnsafe: return false
        case nil:
            if site.held.contains(where: { if case .closure = $0.kind { true } else { false } }) { return true }
            guard !site.selfNames.isEmpty, closure.captures.isEmpty else { return false }
            return ImplicitSelf.isUsed(in: closure.body, except: Set(closure.parameters), of: type, module)
        }
    }

    /// `guard let self` in front of the loop holds `self` for as long as the loop runs.
    private func unwrapsBeforeLoop(_ body: [Statement]) -> Bool {
        for statement in body {
            switch statement {
            case .choice(let choice) where choice.isGuard:
                for case .binding(let name, let value) in choice.conditions {
                    if name == "self" { return true }
                    if case .name("self", _)? = value { return true }
                }
            case .loop: return false
            default: break
            }
        }
        return false
    }

    private func report(
        _ site: CallSite, in path: StoragePath, _ closure: Closure, _ loop: EndlessLoop, _ place: FunctionPlace,
        _ look: Look
    ) {
        let field = path.fields.first ?? ""
        let teardown = Teardown(module: look.module, types: [place.type?.path ?? ""])
        var confidence: StaticFinding.Confidence = loop.isOverSequence ? .medium : .high
        var unknowns = path.unknowns
        func doubt(_ sentence: String, isEnd: Bool = true) {
            unknowns.append(sentence)
            if isEnd { confidence = .low }
        }
        if loop.isOverSequence { doubt("Whether the sequence ends is not known.", isEnd: false) }
        if loop.mayEnd { doubt("The loop can be left from within: when that happens is not known.") }
        if loop.isOverSequence, let function = teardown.finishing() {
            doubt("\(function) finishes a sequence: whether it is this one is not known.")
        }
        if let function = teardown.ending(field, by: ["cancel"], besides: place) {
            doubt("\(function) cancels it: whether that is always called is not known.")
        }
        if TimerCall.isHandedOn(site, place) {
            doubt("The task is handed on: whether somebody cancels it is not known.")
        }
        let end = teardown.endsInDeinit(field, by: ["cancel"]) ? " The deinit that cancels it can never run." : ""
        let kind = site.call.name?.hasSuffix("Thread") == true ? "thread" : "task"
        look.report(
            Look.Suspicion(
                rule: name, confidence: confidence, file: place.file, position: closure.position,
                message: "The \(kind), kept in \(path.text), holds self for as long as its loop runs.\(end)",
                fix: "capture self weakly and unwrap it inside the loop: guard let self else { return }",
                unknowns: unknowns, place: place, field: field, holder: "\(place.type?.name ?? "").\(path.text)"))
    }
}

/// A loop without an end in sight.
struct EndlessLoop {
    /// `for await`.
    var isOverSequence: Bool
    /// It has a `return` or `break`.
    var mayEnd: Bool

    /// The first in the statements, in closures within and in methods of `type` that they call.
    static func find(in body: [Statement], type: TypeInfo, module: Module) -> EndlessLoop? {
        let isStuck = { (flag: String, end: String) in isNeverSet(flag, to: end, in: type, module) }
        let source = EndlessSource(module: module, type: type)
        var found = find(in: body, source, isStuck)
        var seen: Set<String> = []
        var waiting = [body]
        while found == nil, let next = waiting.popLast(), seen.count < 16 {
            next.walk { part in
                guard found == nil else { return false }
                // What it starts elsewhere it does not wait for.
                if case .call(let call) = part, ["Task", "detached", "async"].contains(call.name ?? "") {
                    return false
                }
                if case .call(let call) = part, let name = call.name, isOwn(call), seen.insert(name).inserted {
                    for method in module.methods(name, of: type) {
                        let inner = method.function.body ?? []
                        found = found ?? find(in: inner, source, isStuck)
                        waiting.append(inner)
                    }
                }
                return found == nil
            }
        }
        return found
    }

    private static func isOwn(_ call: Call) -> Bool {
        switch call.callee {
        case .name: return true
        case .member(.name("self", _)?, _, _): return true
        default: return false
        }
    }

    /// Whether nothing that is called sets a flag of the object to the value which ends the loop, its deinit aside.
    private static func isNeverSet(_ flag: String, to end: String, in type: TypeInfo, _ module: Module) -> Bool {
        guard let property = module.property(flag, of: type), property.isStored else { return false }
        if end == "deinit" {
            let isCollection = (property.variable.type ?? module.madeType(property)).map(module.resolve)?.isCollection
            return isCollection == false
                && module.uses.summaries(mentioning: flag).contains {
                    $0.kind == .deinitializer && $0.type == type.path
                }
        }
        guard !property.variable.isLet else { return false }
        return !module.uses.summaries(mentioning: flag).contains { summary in
            let isOthers = summary.type != type.path && module.owners(ofProperty: flag).contains(summary.type)
            return !isOthers && summary.kind != .initializer
                && (summary.flags.contains("\(flag)=\(end)") || summary.flags.contains("\(flag)=?")
                    || summary.calls.contains("toggle") || summary.lends.contains(flag))
                && module.isReached(summary, besidesDeinitOf: [type.path])
        }
    }

    private static func find(
        in body: [Statement], _ source: EndlessSource, _ isStuck: (String, String) -> Bool
    ) -> EndlessLoop? {
        var found: EndlessLoop?
        body.walkStatements { statement in
            guard found == nil, case .loop(let loop) = statement else { return }
            if loop.isAsync {
                found = EndlessLoop(isOverSequence: true, mayEnd: leaves(loop.body))
            } else if loop.sequence == nil, loop.conditions.contains(where: { isWaiting($0, isStuck) }) {
                found = EndlessLoop(isOverSequence: true, mayEnd: false)
            } else if loop.sequence == nil, isEndless(loop.conditions, source, isStuck) {
                found = EndlessLoop(isOverSequence: false, mayEnd: leaves(loop.body))
            }
        }
        return found
    }

    /// `while let next = queue.take()`, where only the deinit speaks of the queue as well.
    private static func isWaiting(_ condition: Condition, _ isStuck: (String, String) -> Bool) -> Bool {
        guard case .binding(_, .call(let call)?) = condition, let base = call.base else { return false }
        switch base {
        case .name(let queue, _), .member(.name("self", _)?, let queue, _): return isStuck(queue, "deinit")
        default: return false
        }
    }

    private static func isEndless(
        _ conditions: [Condition], _ source: EndlessSource, _ isStuck: (String, String) -> Bool
    ) -> Bool {
        conditions.allSatisfy { condition in
            if source.feeds(condition) { return true }
            guard case .test(let test) = condition else { return false }
            switch test {
            case .literal(.yes): return true
            case .name(let flag, _), .member(.name("self", _)?, let flag, _): return isStuck(flag, "no")
            case .other(let parts, "!"):
                switch parts.first {
                case .member(_, "isCancelled", _)?: return true
                case .name(let flag, _)?, .member(.name("self", _)?, let flag, _)?: return isStuck(flag, "yes")
                default: return false
                }
            default: return false
            }
        }
    }

    private static func leaves(_ body: [Statement]) -> Bool {
        body.contains { statement in
            switch statement {
            case .leave(.returns, _), .leave(.breaks, _), .leave(.throwing, _): true
            case .choice(let choice): choice.branches.contains(where: leaves)
            default: false
            }
        }
    }
}
