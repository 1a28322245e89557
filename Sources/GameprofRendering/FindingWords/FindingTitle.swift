import GameprofBasics
import GameprofReportModel

/// A few words for a finding.
enum FindingTitle {
    static func text(_ finding: AnalyzedFinding) -> String {
        finding.circumstances.reduce(title(finding)) { title, circumstance in
            switch circumstance {
            case .keeps(let type): "\(title), keeps \(TypeSugar.short(type))"
            case .makerIsRunning, .isGone: title
            }
        }
    }

    private static func title(_ finding: AnalyzedFinding) -> String {
        let type = TypeSugar.short(finding.facts.type)
        switch finding.cause {
        case .retainCycle: return cycle("Retain cycle", finding.facts)
        case .reachableCycle, .cycleBehindPointer: return cycle("Holds itself, still reachable", finding.facts)
        case .lostObject: return "Leak: \(type)"
        case .stuckTask: return "Leak: a task that waits forever"
        case .overRetain(let excess):
            return "Over-retain: \(type), \(excess == 1 ? "one retain" : "\(excess) retains") too many"
        case .lostMemory(let maker): return "Leaked memory" + (maker.map { " from \($0)" } ?? "")
        case .useAfterDeallocation(let operation, let member, _):
            return "Zombie: \(use(operation, of: finding.facts.type, member: member))"
        case .growth: return "Grows, still reachable: \(type)"
        case .abandoned: return "Abandoned, still reachable: \(type)"
        case .accumulation: return "Accumulates, still reachable: \(type)"
        case .outlived: return "Outlived its time: \(ShortNames.strip(finding.facts.type))"
        }
    }

    private static func cycle(_ heading: String, _ finding: Finding) -> String {
        let types = finding.references.map { TypeSugar.short($0.from) }
        switch types.count {
        case 0: return heading
        case 1: return "\(heading): \(types[0]) ↺"
        case 2: return "\(heading): \(types[0]) ⇄ \(types[1])"
        case 3...4: return "\(heading): " + types.joined(separator: " → ") + " ↺"
        default: return "\(heading): \(types[0]) → \(types[1]) → … → \(types[types.count - 1]) ↺"
        }
    }

    private static func use(_ operation: Finding.Operation, of type: String, member: String?) -> String {
        let bare = TypeName.bare(type)
        let object = bare == ObjectNoun.memory.rawValue ? "freed memory" : "a deallocated \(bare)"
        switch operation {
        case .methodCall: return "\(member.map { "method \($0)" } ?? "a method call") on \(object)"
        case .free: return "\(object) is freed again"
        case .lateWrite: return "\(member.map { "\($0) of " } ?? "")\(object) was written"
        case .propertyRead, .propertyWrite:
            return operation.rawValue + (member.map { " of \($0) on \(object)" } ?? " of \(object)")
        case .methodCallOrTypeCheck, .typeCheck, .superclassLookup, .metadataRead, .retain, .release, .uniquenessCheck,
            .weakReference, .unownedReference, .unownedLoad, .referenceCounting, .resize:
            return "\(operation.rawValue) of \(object)"
        }
    }
}
