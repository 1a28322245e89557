import GameprofBasics
import StaticFindingModel

/// Lets the fix of a suspect name what else holds its objects: only with all of it gone are they freed.
enum Together {
    /// Rules whose suspects each hold an object of `type` by themselves.
    private static let holding: Set<String> = [
        StoredClosure.name, StoredMethod.name, EndlessTask.name, TimerRule.name, NotificationRule.name,
        DispatchSourceRule.name, Subscription.name, Observation.name, StrongDelegate.name, BackReference.name,
        PayloadReference.name, MutualReference.name, ObjectCycle.name,
    ]
    private static let leadingBack: Set<String> = [BackReference.name, StrongDelegate.name, PayloadReference.name]

    static func named(_ suspects: [StaticFinding]) -> [StaticFinding] {
        let sure = suspects.filter { $0.confidence >= .medium && holding.contains($0.rule) && !$0.type.isEmpty }
        return suspects.map { suspect in
            guard sure.contains(where: { isSame($0, suspect) }) else { return suspect }
            var names: [String] = []
            for other in sure where !isSame(other, suspect) && areTied(other, suspect) {
                let file = other.file.split(separator: "/").last ?? ""
                let place = other.file == suspect.file ? "line \(other.line)" : "\(file):\(other.line)"
                let name = "\(other.holder) (\(place))"
                if !other.holder.isEmpty, other.holder != suspect.holder, !names.contains(name) { names.append(name) }
            }
            guard !names.isEmpty else { return suspect }
            var result = suspect
            let more = names.count > 3 ? " and \(names.count - 3) more" : ""
            let verb = names.count == 1 ? "closes a circle" : "close circles"
            result.fix +=
                "; \(names.prefix(3).joined(separator: ", "))\(more) \(verb) of the same objects and must go too"
            return result
        }
    }

    private static func isSame(_ one: StaticFinding, _ other: StaticFinding) -> Bool {
        one.file == other.file && one.line == other.line && one.column == other.column && one.rule == other.rule
    }

    /// They hold an object of the same type, or are two references in one.
    private static func areTied(_ one: StaticFinding, _ other: StaticFinding) -> Bool {
        if one.type == other.type { return true }
        guard leadingBack.contains(one.rule), leadingBack.contains(other.rule), one.file == other.file else {
            return false
        }
        return owner(one) == owner(other)
    }

    private static func owner(_ suspect: StaticFinding) -> Substring {
        NameTokens.prefix(of: suspect.holder[...], before: ".")
    }
}
