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
        if loop.isOverSequence, !loop.isByCall, let function = teardown.finishing() {
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
    /// What it waits for a function of the sources gives, no sequence that something finishes.
    var isByCall = false
    /// It has a `return` or `break`.
    var mayEnd: Bool

    /// The first in the statements, in closures within and in methods of `type` that they call.
    static func find(in body: [Statement], type: TypeInfo, module: Module) -> EndlessLoop? {
        let reader = LoopReader(type: type, module: module)
        var found = reader.find(in: body)
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
                        found = found ?? reader.find(in: inner)
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
}

/// Finds out which loops do not end.
private struct LoopReader {
    let type: TypeInfo
    let module: Module

    /// Whether nothing that is called sets a flag of the object to the value which ends the loop, its deinit aside.
    private func isStuck(_ flag: String, _ end: String) -> Bool {
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

    private var sure: SureResult { SureResult(module: module, type: type) }

    func find(in body: [Statement]) -> EndlessLoop? {
        var found: EndlessLoop?
        var iterators: Set<String> = []
        body.walkStatements { statement in
            if case .variable(let variable) = statement, case .call(let call)? = variable.initializer,
                call.name == "makeAsyncIterator"
            {
                iterators.insert(variable.name)
            }
            guard found == nil, case .loop(let loop) = statement else { return }
            if loop.isAsync {
                found = EndlessLoop(isOverSequence: true, mayEnd: leaves(loop.body))
            } else if loop.sequence == nil, loop.conditions.contains(where: isGiven) {
                found = EndlessLoop(isOverSequence: true, isByCall: true, mayEnd: leaves(loop.body))
            } else if loop.sequence == nil, loop.conditions.contains(where: { isWaiting($0, iterators) }) {
                found = EndlessLoop(isOverSequence: true, mayEnd: leaves(loop.body))
            } else if loop.sequence == nil, isEndless(loop.conditions) {
                found = EndlessLoop(isOverSequence: false, mayEnd: leaves(loop.body))
            }
        }
        return found
    }

    /// `while let job = await next()`, which never gives nil.
    private func isGiven(_ condition: Condition) -> Bool {
        if case .binding(_, .call(let call)?) = condition { sure.isValue(call) } else { false }
    }

    /// `while let next = queue.take()`, where only the deinit speaks of the queue as well, or what an iterator gives.
    private func isWaiting(_ condition: Condition, _ iterators: Set<String>) -> Bool {
        guard case .binding(_, .call(let call)?) = condition else { return false }
        switch call.base {
        case .name(let queue, _)?, .member(.name("self", _)?, let queue, _)?:
            return isStuck(queue, "deinit") || (call.name == "next" && iterators.contains(queue))
        default: return false
        }
    }

    private func isEndless(_ conditions: [Condition]) -> Bool {
        conditions.allSatisfy { condition in
            guard case .test(let test) = condition else { return false }
            switch test {
            case .literal(.yes): return true
            case .call(let call): return sure.isTrue(call)
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

    /// Whether the loop is left from within, other than when its task is cancelled.
    private func leaves(_ body: [Statement]) -> Bool {
        body.contains { statement in
            switch statement {
            case .leave(.returns, _), .leave(.breaks, _), .leave(.throwing, _): return true
            case .choice(let choice):
                let isFirstTaken = choice.isGuard ? !isSure(choice.conditions) : !isByCancelling(choice.conditions)
                let branches = isFirstTaken ? choice.branches[...] : choice.branches.dropFirst()
                return (catchesOnlyCancelling(choice) ? branches.prefix(1) : branches).contains(where: leaves)
            default: return false
            }
        }
    }

    /// The conditions of a guard that fail only when the task is cancelled.
    private func isSure(_ conditions: [Condition]) -> Bool {
        conditions.allSatisfy { condition in
            switch condition {
            case .binding(_, .call(let call)?): return sure.isValue(call)
            case .test(.other(let parts, "!")):
                if case .member(_, "isCancelled", _)? = parts.first { return true }
                return false
            case .test(.call(let call)): return sure.isTrue(call)
            default: return false
            }
        }
    }

    private func isByCancelling(_ conditions: [Condition]) -> Bool {
        conditions.contains { if case .test(.member(_, "isCancelled", _)) = $0 { true } else { false } }
    }

    /// `do { try await Task.sleep(…) } catch { return }`.
    private func catchesOnlyCancelling(_ choice: Choice) -> Bool {
        guard choice.conditions.isEmpty, choice.subject == nil, choice.branches.count > 1 else { return false }
        var thrown: Set<String> = []
        choice.branches[0].walk { part in
            if case .call(let call) = part, call.canThrow { thrown.insert(call.name ?? "") }
            return true
        }
        return !thrown.isEmpty && thrown.isSubset(of: ["sleep", "checkCancellation"])
    }
}
