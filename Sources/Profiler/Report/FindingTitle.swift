/// The words for a finding: a title of a few, and one sentence.
enum FindingTitle {
    /// How a title calls a type: the bare name, of a collection's storage with its element.
    private static func titled(_ name: String) -> String {
        let bare = TypeName.bare(name)
        guard TypeName.module(of: name) == "Swift", let start = name.firstIndex(of: "<") else { return bare }
        return bare + ShortNames.strip(String(name[start...]))
    }

    static func cycle(_ finding: Finding) -> String {
        let prefix = finding.kind == .reachableCycle ? "Holds itself, still reachable" : "Retain cycle"
        let types = finding.references.map { titled($0.from) }
        switch types.count {
        case 0: return prefix
        case 1: return "\(prefix): \(types[0]) ↺"
        case 2: return "\(prefix): \(types[0]) ⇄ \(types[1])"
        case 3...4: return "\(prefix): " + types.joined(separator: " → ") + " ↺"
        default: return "\(prefix): \(types[0]) → \(types[1]) → … → \(types[types.count - 1]) ↺"
        }
    }

    static func lone(_ finding: Finding, excess: UInt32, maker: String?) -> String {
        let type = titled(finding.type)
        switch finding.kind {
        case .overRetain:
            return "Over-retain: \(type), \(excess == 1 ? "one retain" : "\(excess) retains") too many"
        case .rawLeak:
            return "Leaked memory" + (maker.map { " from \($0)" } ?? "")
        case .leak where type == ObjectRole.task.noun:
            return "Leak: a task that waits for ever"
        default:
            return "Leak: \(type)"
        }
    }

    static func sentence(_ finding: Finding, excess: UInt32) -> String {
        let type = titled(finding.type)
        switch finding.kind {
        case .retainCycle:
            let types = finding.references.map { titled($0.from) }
            if types.count == 1, let reference = finding.references.first {
                return "\(types[0]) holds itself\(through(reference)), so it is never freed."
            }
            if let type = types.first, types.allSatisfy({ $0 == type }) {
                return "\(types.count) objects of \(type) hold each other, so none of them is ever freed."
            }
            let fate = types.count == 2 ? "neither is" : "none of them is"
            return "\(list(types)) hold each other, so \(fate) ever freed."
        case .overRetain:
            return "\(type) was retained \(excess == 1 ? "once" : "\(excess) times") more than it was released."
        case .rawLeak: return "Memory was allocated and never freed; nothing refers to it any more."
        case .reachableCycle: return "\(type) holds itself until something breaks the cycle."
        case .leak where type == ObjectRole.task.noun:
            return "A task waits for ever: nothing that could resume it is left."
        default: return "Nothing refers to \(type) any more, but a retain of it was never released."
        }
    }

    /// For what a function made that had not returned when the program ended.
    static func unreturned(_ finding: Finding, maker: String) -> String {
        "Nothing refers to \(TypeName.bare(finding.type)) any more, but \(FunctionName.display(maker)), which made it, "
            + "had not returned when the program exited: the optimiser may have given up its variable."
    }

    /// For a cycle that a plain pointer still names.
    static func heldByPointer(_ finding: Finding) -> String {
        let types = finding.references.map { TypeName.bare($0.from) }
        let holding = types.count == 1 ? "\(types[0]) holds itself" : "\(list(types)) hold each other"
        return "\(holding) until something breaks the cycle; from outside only a pointer without a retain leads there."
    }

    private static func through(_ reference: Reference) -> String {
        reference.path.isEmpty ? "" : " through \(reference.path)"
    }

    private static func list(_ types: [String]) -> String {
        if types.count > 4 { return "\(types[0]), \(types[1]) and \(types.count - 2) more" }
        return types.dropLast().joined(separator: ", ") + " and " + (types.last ?? "")
    }
}

extension Suspect.Reason {
    /// Why the reference is the one to change.
    func explanation(for reference: Reference) -> String {
        let target = TypeName.bare(reference.to)
        switch self {
        case .closureCapturesSelf: return "A closure that \(target) keeps captures self strongly."
        case .methodReference: return "A method used as a closure holds its object strongly."
        case .closureCaptures: return "A closure captures \(target), which keeps the closure."
        case .taskCaptures: return "A task that \(target) keeps captures it strongly."
        case .taskWaits: return "A task that \(TypeName.bare(reference.from)) keeps holds \(target) while it waits."
        case .backReferenceName:
            return "The name \(FieldName.last(reference.field)) says that it points back to an owner."
        case .madeByTarget:
            return "\(TypeName.bare(reference.from)) is made by \(target), which owns it: this points back."
        case .variableHoldsClosure: return "A variable that the closure captures holds the closure."
        case .pointsBackFromElement: return "A single reference back to the owner of a collection."
        case .anyOne: return "Nothing tells the owner from the owned here: one of the references must be weak."
        }
    }
}
