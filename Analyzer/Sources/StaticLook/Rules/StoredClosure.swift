import SourceModel
import StaticFindingModel

/// A closure that its object stores, directly or through something it owns, and that captures the object strongly.
struct StoredClosure: Rule {
    static let name = "stored-closure"
    static let summary = "an escaping closure, kept by what self owns, captures self strongly"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        for flow in flows.flows {
            switch flow.held.kind {
            case .closure(let closure) where !Captures.hasWeakInner(closure, of: ["self"]):
                report(flow, closure, place, look)
            case .made(let function): report(flow, madeBy: function, place, look)
            default: break
            }
        }
        for circle in flows.circles { report(circle, place, look) }
    }

    private func report(_ flow: Flow, _ closure: Closure, _ place: FunctionPlace, _ look: Look) {
        guard let judgement = StorageJudgement.of(flow, place, look) else { return }
        let owner = place.type?.name ?? "self"
        let keeper = flow.keeper.map { $0.name } ?? "\(owner).\(flow.path.text)"
        let way = keeper == "\(owner).\(flow.path.text)" ? "" : " through \(flow.path.text)"
        let isKept = place.type.map(look.isKept) ?? true
        look.report(
            Look.Suspicion(
                rule: name, confidence: judgement.confidence, file: place.file, position: closure.position,
                message: "The closure captures self and is kept by \(keeper), which \(owner) keeps alive\(way).",
                fix: Self.fix(closure, of: place.type, "self", keeper, flow.held.demanded, look),
                unknowns: judgement.unknowns, place: place, field: flow.path.fields.first ?? "", holder: keeper,
                edit: isKept ? CaptureEdit.weakSelf(closure, of: flow, in: place, look.module) : nil))
    }

    private func report(_ flow: Flow, madeBy function: String, _ place: FunctionPlace, _ look: Look) {
        guard let judgement = StorageJudgement.of(flow, place, look) else { return }
        let owner = place.type?.name ?? "self"
        let keeper = flow.keeper.map { $0.name } ?? "\(owner).\(flow.path.text)"
        look.report(
            Look.Suspicion(
                rule: name, confidence: judgement.confidence, file: place.file, position: flow.held.position,
                message: "The closure that \(function) returns captures self and is kept by \(keeper), which \(owner) "
                    + "keeps alive.",
                fix: "capture self weakly in \(function): [weak self]", unknowns: judgement.unknowns, place: place,
                field: flow.path.fields.first ?? "", holder: keeper))
    }

    private func report(_ circle: LocalCircle, _ place: FunctionPlace, _ look: Look) {
        let isCleared = Teardown.isWithin(circle.closure, emptying: circle.fields)
        guard !isCleared, !clears(place.function.body ?? [], circle) else { return }
        guard !circle.field.isEmpty else { return report(variable: circle, place, look) }
        let keeper = circle.keeper?.name ?? "\(circle.name).\(circle.field)"
        let types = [circle.keeper?.type ?? "", circle.type, place.type?.path ?? ""]
        let teardown = Teardown(module: look.module, types: types)
        let end = teardown.emptying(circle.fields) ?? teardown.perhapsEnding(circle.fields)
        let note = end.map { ["\($0) empties it: whether that is always called is not known."] } ?? []
        look.report(
            Look.Suspicion(
                rule: name,
                confidence: end != nil ? .low : circle.unknowns.isEmpty ? .high : .medium,
                file: place.file, position: circle.closure.position,
                message: "The closure captures \(circle.name) and is kept by \(keeper) of that same object.",
                fix: Self.fix(
                    circle.closure, of: look.module.type(named: circle.type), circle.name, keeper,
                    circle.keeper?.declared, look),
                unknowns: circle.unknowns + note, place: place, type: circle.keeper?.type ?? "", field: circle.field,
                holder: keeper))
    }

    /// A weak capture comes first only where the closure returns nothing, and where it is not seen that the object may
    /// be held by nothing else until the closure has run.
    private static func fix(
        _ closure: Closure, of type: TypeInfo?, _ name: String, _ keeper: String, _ demanded: TypeReference?,
        _ look: Look
    ) -> String {
        let weak = "capture \(name) weakly: [weak \(name)]"
        if let type, !look.isKept(type) {
            return "clear \(keeper) once the closure has done its work; if something else holds the \(type.name) until "
                + "then, \(weak)"
        }
        guard CaptureEdit.returnsValue(closure, demanded, look.module) else { return weak }
        return "clear \(keeper) when it is done with, or \(weak), and return a value that needs no \(name)"
    }

    private func report(variable circle: LocalCircle, _ place: FunctionPlace, _ look: Look) {
        look.report(
            Look.Suspicion(
                rule: name, confidence: .high, file: place.file, position: circle.closure.position,
                message: "The closure captures the variable \(circle.name), which holds the closure itself.",
                fix: "make it a local function, or set \(circle.name) to nil when it is done", place: place,
                type: circle.type, field: circle.name, holder: circle.name))
    }

    private func clears(_ body: [Statement], _ circle: LocalCircle) -> Bool {
        var found = false
        body.walk { expression in
            switch expression {
            case .assignment(.member(.name(circle.name, _)?, circle.field, _), .literal(.none), _, _): found = true
            case .assignment(.name(circle.name, _), .literal(.none), _, _): found = found || circle.field.isEmpty
            default: break
            }
            return !found
        }
        return found
    }
}

/// How sure a flow into storage is.
struct StorageJudgement {
    var confidence: StaticFinding.Confidence
    var unknowns: [String]

    /// Nil when the stored value takes itself out again, or when its owner is meant to live for ever.
    static func of(_ flow: Flow, _ place: FunctionPlace, _ look: Look) -> StorageJudgement? {
        let module = look.module
        let keeper = flow.keeper?.field ?? ""
        let names = ([keeper] + flow.path.fields).filter { !$0.isEmpty && $0 != "[…]" }
        if case .closure(let closure) = flow.held.kind, Teardown.isWithin(closure, emptying: names) { return nil }
        if let type = place.type, module.isSingleton(type) { return nil }
        if Teardown.isBehind(flow.position, in: place.function.body ?? [], emptying: names) { return nil }
        return of(
            names: names,
            types: [place.type?.path ?? "", flow.keeper?.type ?? ""]
                + types(along: flow.path.fields, from: place.type, module),
            unknowns: flow.unknowns, place, at: flow.position, look, flow: flow)
    }

    /// Paths of the types that declare the properties on the way from an object to what it keeps.
    private static func types(along fields: [String], from type: TypeInfo?, _ module: Module) -> [String] {
        var types: [String] = []
        var owner = type
        var declared: TypeReference?
        for field in fields {
            if field == "[…]" {
                declared = declared?.element.map(module.resolve)
            } else {
                guard let property = owner.flatMap({ module.property(field, of: $0) }) else { break }
                types.append(property.type)
                declared = (property.variable.type ?? module.madeType(property)).map(module.resolve)
            }
            owner = module.type(of: declared, from: owner?.path ?? "")
        }
        return types
    }

    /// `names`: properties on the way round; `types`: the paths of those that declare them. What ends it somewhere, if
    /// only perhaps, leaves a suspicion.
    static func of(
        names: [String], types: [String], unknowns: [String], states: [String] = [], _ place: FunctionPlace,
        at position: Int? = nil, _ look: Look, flow: Flow? = nil
    ) -> StorageJudgement {
        var teardown = Teardown(
            module: look.module, types: types, maker: position.map { Maker(place: place, position: $0) })
        teardown.outrun = Outrun(calls: look.calls, module: look.module, maker: place)
        if let end = end(of: names, states, teardown, place, flow) {
            return StorageJudgement(confidence: .low, unknowns: unknowns + [end])
        }
        teardown.outrun = nil
        let seldom = teardown.removing(names).map(Teardown.seldom)
        let all = unknowns + (seldom.map { [$0] } ?? [])
        return StorageJudgement(confidence: all.isEmpty ? .high : .medium, unknowns: all)
    }

    /// The property keeps what is to be ended by a call, a timer.
    private static func isToken(_ keeper: Keeper) -> Bool {
        let name = keeper.declared?.name ?? ""
        return name == "Timer" || name.hasPrefix("DispatchSource")
    }

    private static func end(
        of names: [String], _ states: [String], _ teardown: Teardown, _ place: FunctionPlace, _ flow: Flow?
    ) -> String? {
        let always = "whether that is always called is not known."
        if let function = teardown.emptying(names, besides: place) { return "\(function) empties it: \(always)" }
        var replaced = states
        if let flow, !flow.held.isObject, let keeper = flow.keeper,
            teardown.module.type(named: keeper.type)?.kind == .enum
        {
            replaced += flow.path.fields
        }
        if let function = teardown.replacing(replaced, besides: place) {
            return "\(function) gives it another value: \(always)"
        }
        if let function = flow?.token.flatMap({ teardown.endingToken($0, besides: place) }) {
            return "\(function) ends it by its token: \(always)"
        }
        if let keeper = flow?.keeper, isToken(keeper),
            let function = teardown.endingToken(keeper.field, besides: place)
        {
            return "\(function) ends it by its token: \(always)"
        }
        if let function = teardown.lending(names) {
            return "\(function) lends it as inout: whether that empties it is not known."
        }
        if let remover = teardown.removing(names) {
            // The entry goes by the key that the call returned, which is not stored.
            let key = flow?.key ?? ""
            let isLost = !key.isEmpty && teardown.module.takesKey(remover) && remover.function != key
            if !isLost {
                return "\(Teardown.text(remover)) takes entries out: whether it takes out every one is not known."
            }
        }
        if names.contains("onTermination"), let function = teardown.finishing() {
            return "\(function) finishes a sequence: whether it is this one is not known."
        }
        return teardown.perhapsEnding(names).map {
            "\($0) may let it go: whether it is this one, and when, is not known."
        }
    }
}
