import SourceModel
import SuspectModel

/// Observers and timers that nothing ends: the token is thrown away, or kept and never used.
struct LostToken: Rule {
    static let name = "lost-token"
    static let summary = "an observer or repeating timer that nobody can end, or nobody does"

    func look(at flows: FunctionFlows, of place: FunctionPlace, _ look: Look) {
        guard let type = place.type, type.isClass, !place.function.isStatic, !look.module.isSingleton(type) else {
            return
        }
        for site in flows.sites {
            if NotificationRule.isObservation(site.call), NotificationRule.strongClosure(site) == nil {
                check(site, "removeObserver", "The notification center", place, look)
            } else if TimerCall.isTimer(site.call), TimerCall.repeats(site.call) == true,
                site.call.name == "scheduledTimer", TimerCall.heldSelf(site) == nil,
                !site.closures.contains(where: {
                    Teardown.isWithin($0, emptying: [], calling: ["invalidate"])
                })
            {
                check(site, "invalidate", "The run loop", place, look)
            }
        }
    }

    private func check(_ site: CallSite, _ ending: String, _ keeper: String, _ place: FunctionPlace, _ look: Look) {
        let message: String
        var field = ""
        if site.isDropped {
            message = "\(keeper) keeps it, and nobody has what \(ending) would need."
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
                rule: name, confidence: site.isDropped ? .high : .medium, file: place.file,
                position: site.call.position, message: message,
                fix: site.isDropped ? "keep the result and call \(ending) in deinit" : "call \(ending) in deinit",
                place: place, field: field, holder: ""))
    }

    /// Whether code that these rules do not follow may end it: the member is handed to a function.
    private func isPassedOn(_ field: String, _ type: String, _ module: Module) -> Bool {
        module.uses.summaries(mentioning: field).contains { $0.lends.contains(field) && $0.type == type }
    }
}
