import SourceModel
import StaticFindingModel

/// A repeating timer whose block, or target, is the object that keeps the timer.
struct TimerRule: Rule {
    static let name = "timer"
    static let summary = "a repeating timer holds the object that would have to invalidate it"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        if let type = place.type, look.module.isSingleton(type) { return }
        for site in flows.sites where TimerCall.isTimer(site.call) {
            let fields = site.storage?.fields ?? []
            // Foundation on Linux keeps the block of a timer that has fired.
            guard TimerCall.repeats(site.call) != false || !fields.isEmpty, let held = TimerCall.heldSelf(site) else {
                continue
            }
            if case .closure(let closure) = held.kind,
                Teardown.isWithin(closure, emptying: fields, calling: ["invalidate"])
            {
                continue
            }
            report(site, held, place, look)
        }
    }

    private func report(_ site: CallSite, _ held: Held, _ place: FunctionPlace, _ look: Look) {
        let field = site.storage?.fields.first ?? ""
        let teardown = Teardown(module: look.module, types: [place.type?.path ?? ""])
        var confidence = StaticFinding.Confidence.high
        var unknowns: [String] = []
        var end = ""
        if !field.isEmpty,
            let function = teardown.ending(field, by: ["invalidate"], besides: place)
                ?? teardown.emptying([field], besides: place) ?? teardown.perhapsEnding([field])
        {
            confidence = .low
            unknowns.append("\(function) ends it: whether that is always called is not known.")
        } else if TimerCall.repeats(site.call) == nil {
            confidence = .low
            unknowns.append("Whether it repeats is not known.")
        } else if field.isEmpty {
            // Perhaps meant to run for as long as the program.
            confidence = .low
            unknowns.append("The timer is not stored.")
        } else if TimerCall.handsOn(site) {
            confidence = .low
            unknowns.append("The timer is handed on: whether somebody invalidates it is not known.")
        } else if teardown.endsInDeinit(field, by: ["invalidate"]) {
            end = " The deinit that invalidates it can never run."
        }
        var edit: StaticFinding.Edit?
        var position = held.position
        if case .closure(let closure) = held.kind {
            edit = CaptureEdit.weakSelf(closure, at: site, in: place, look.module)
            if !site.takes(closure) { position = site.call.position }
        } else {
            position = site.call.position
        }
        look.report(
            Look.Suspicion(
                rule: name, confidence: confidence, file: place.file, position: position,
                message: TimerCall.repeats(site.call) == false
                    ? "Self keeps the timer, and the timer keeps self even when it has fired."
                    : "The run loop keeps the timer, and the timer keeps self.\(end)",
                fix: edit == nil
                    ? "use a block with [weak self], or invalidate the timer in a method that is surely called"
                    : "capture self weakly: [weak self], and invalidate the timer in deinit",
                unknowns: unknowns, place: place, field: field, holder: "Timer", edit: edit))
    }
}

/// Reads calls that make timers.
enum TimerCall {
    static func isTimer(_ call: Call) -> Bool {
        guard call.argument("repeats") != nil || call.argument("timeInterval") != nil else { return false }
        if call.name == "scheduledTimer" || call.name == "Timer" { return true }
        if call.name == "init", case .name("Timer", _)? = call.base { return true }
        return false
    }

    /// Nil when it is not known.
    static func repeats(_ call: Call) -> Bool? {
        switch call.argument("repeats") {
        case .literal(.yes): true
        case .literal(.no): false
        default: nil
        }
    }

    /// The block gives the timer that it gets to somebody.
    static func handsOn(_ site: CallSite) -> Bool {
        site.closures.contains { closure in
            let name = closure.parameters.first ?? "$0"
            return name != "_" && Captures.mentions(closure.body, [name])
        }
    }

    /// Somebody else gets the timer: it is returned, or given to something other than a run loop.
    static func isHandedOn(_ site: CallSite, _ place: FunctionPlace) -> Bool {
        switch site.destination {
        case .returned, .argument: return true
        case .local, .stored:
            guard let name = local(site, place) else { return false }
            var found = false
            (place.function.body ?? []).walkStatements { statement in
                if case .leave(.returns, let value?) = statement, Captures.mentions(value, [name]) { found = true }
            }
            (place.function.body ?? []).walk { part in
                if case .call(let call) = part, call.name != "add",
                    call.arguments.contains(where: { if case .name(name, _) = $0.value { true } else { false } })
                {
                    found = true
                }
                return !found
            }
            return found
        default: return false
        }
    }

    /// The local variable that what the call makes is given to first.
    private static func local(_ site: CallSite, _ place: FunctionPlace) -> String? {
        var found: String?
        (place.function.body ?? []).walkStatements { statement in
            if case .variable(let variable) = statement, variable.initializer?.position == site.call.position {
                found = variable.name
            }
        }
        return found
    }

    static func heldSelf(_ site: CallSite) -> Held? {
        site.held.first { held in
            switch held.kind {
            case .closure, .method, .made, .object: true
            case .parameter: false
            }
        }
    }
}
