import GameprofAnalysis
import GameprofBasics

/// A few words for a finding.
enum FindingTitle {
    static func text(_ finding: AnalyzedFinding) -> String {
        finding.circumstances.reduce(title(finding)) { title, circumstance in
            switch circumstance {
            case .keeps(let type): "\(title), keeps \(TypeSugar.short(type))"
            case .makerIsRunning, .makerMayBeRunning, .memoryIsUnread, .isGone: title
            }
        }
    }

    private static func title(_ finding: AnalyzedFinding) -> String {
        let type = TypeSugar.short(finding.facts.type)
        switch finding.cause {
        case .retainCycle: return cycle("Retain cycle", finding.facts)
        case .reachableCycle, .cycleBehindPointer: return cycle("Reachable cycle", finding.facts)
        case .lostObject: return "Leak: \(type)"
        case .stuckTask: return "Leak: a task that waits forever"
        case .overRetain(let excess):
            return "Over-retain: \(type), \(excess == 1 ? "one retain" : "\(excess) retains") too many"
        case .lostMemory(let maker): return "Leaked memory" + (maker.map { " from \($0)" } ?? "")
        case .useAfterDeallocation(let operation, let member, _):
            return "Zombie: \(use(operation, of: finding.facts.type, member: member))"
        case .escapedDeinit(let holder):
            return "Zombie: \(type) escaped from its deinit\(holder.map { " into \($0)" } ?? "")"
        case .growth: return "Grows, still reachable: \(type)"
        case .abandoned: return "Abandoned, still reachable: \(type)"
        case .accumulation: return "Accumulates, still reachable: \(type)"
        case .unclosedDescriptors(_, _, let maker, _):
            return "Never closed: descriptors" + (maker.map { " opened in \($0)" } ?? "")
        case .lostMappings(_, let maker, _): return "Never unmapped: memory" + (maker.map { " mapped in \($0)" } ?? "")
        case .unjoinedThreads(let maker, _): return "Never joined: threads" + (maker.map { " made in \($0)" } ?? "")
        case .deinitialised: return "Deinitialised, memory kept: \(type)"
        case .outlived: return "Not deallocated as expected: \(ShortNames.strip(finding.facts.type))"
        }
    }

    /// The objects of a cycle in the order of its references, that which the finding is about first.
    static func typesOfCycle(_ finding: Finding) -> [String] {
        let first = finding.references.firstIndex { $0.from == finding.type } ?? 0
        let turned = finding.references[first...] + finding.references[..<first]
        return turned.map { TypeSugar.short($0.from) }
    }

    private static func cycle(_ heading: String, _ finding: Finding) -> String {
        let types = typesOfCycle(finding)
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
