import SourceModel
import StaticFindingModel

/// Observers and timers that nothing ends: the token is thrown away, or kept and never used.
struct LostToken: Rule {
    static let name = "lost-token"
    static let summary = "an observer or repeating timer that no code can end, or none does"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        guard let type = place.type, type.isClass, !place.function.isStatic, !look.module.isSingleton(type) else {
            return
        }
        for site in flows.sites {
            if NotificationRule.isObservation(site.call), NotificationRule.strongClosure(site) == nil {
                let life = CenterLife.of(site.call.base, place, look.module)
                guard life != .ownersOwn else { continue }
                check(site, "removeObserver", "The notification center", isSure: life == .program, place, look)
            } else if TimerCall.isTimer(site.call), TimerCall.repeats(site.call) == true,
                site.call.name == "scheduledTimer", TimerCall.heldSelf(site) == nil, !TimerCall.handsOn(site)
            {
                check(site, "invalidate", "The run loop", isSure: true, place, look)
            }
        }
    }

    private func check(
        _ site: CallSite, _ ending: String, _ keeper: String, isSure: Bool, _ place: FunctionPlace, _ look: Look
    ) {
        let message: String
        var field = ""
        if site.isDropped {
            message = "\(keeper) keeps it, and nothing stores what \(ending) would need."
        } else {
            guard let path = site.storage, let first = path.fields.first else { return }
            field = first
            let type = place.type?.path ?? ""
            let isPrivate = place.type.flatMap { look.module.property(field, of: $0)?.variable.isPrivate }
            let ends = look.module.uses.ending(field, by: [ending]).contains { summary in
                summary.type == type || summary.type.isEmpty || isPrivate != true
            }
            guard !ends, !isPassedOn(field, type, look.module) else { return }
            message = "\(keeper) keeps it, and nothing calls \(ending) for \(path.text)."
        }
        look.report(
            Look.Suspicion(
                rule: name, confidence: site.isDropped && isSure ? .high : .medium, file: place.file,
                position: site.call.position, message: message,
                fix: site.isDropped ? "keep the result and call \(ending) in deinit" : "call \(ending) in deinit",
                unknowns: isSure ? [] : ["How long the notification center lives is not known."], place: place,
                field: field, holder: ""))
    }

    /// Whether code that these rules do not follow may end it: the member is handed to a function.
    private func isPassedOn(_ field: String, _ type: String, _ module: Module) -> Bool {
        module.uses.summaries(mentioning: field).contains { $0.lends.contains(field) && $0.type == type }
    }
}

/// How long a notification center lives, and with it what it was given.
enum CenterLife {
    case program
    /// The object that observes has made it for itself.
    case ownersOwn
    case unknown

    static func of(_ center: Expression?, _ place: FunctionPlace, _ module: Module) -> CenterLife {
        guard let center else { return .unknown }
        let value: Expression?
        switch center {
        case .member(.name("NotificationCenter", _)?, "default", _): return .program
        case .name(let name, _), .member(.name("self", _)?, let name, _):
            let local = LocalTypes.typing(of: place, module: module).values[name]
            value = local ?? place.type.flatMap { module.property(name, of: $0)?.variable.initializer }
        default: return .unknown
        }
        switch value {
        case .member(.name("NotificationCenter", _)?, "default", _)?: return .program
        case .call(let call)? where call.name == "NotificationCenter": return .ownersOwn
        default: return .unknown
        }
    }
}
