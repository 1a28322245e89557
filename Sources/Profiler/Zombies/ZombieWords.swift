/// The words for a use of a dead object.
enum ZombieWords {
    /// The user's innermost frame of a stack.
    static func innermostUser(_ stack: SymbolicatedStack) -> SymbolicatedFrame? {
        stack.frames.first { $0.origin == .user && !isDeinit($0.function) }
            ?? stack.frames.first { $0.origin == .user }
    }

    private static func isDeinit(_ function: String) -> Bool {
        function.hasSuffix("deinit") || function.hasSuffix("__deallocating_deinit") || function.contains("outlined")
    }

    static func title(_ access: Finding.Access, type: String) -> String {
        let bare = TypeName.bare(type)
        let what = bare == "memory" ? "freed memory" : "a deallocated \(bare)"
        switch access.operation {
        case "method call": return "Zombie: \(access.member.map { "method \($0)" } ?? "a method call") on \(what)"
        case "free": return "Zombie: \(what) is freed again"
        case "write after deallocation":
            return "Zombie: \(access.member.map { "\($0) of " } ?? "")\(what) was written"
        case "property read" where access.member != nil, "property write" where access.member != nil:
            return "Zombie: \(access.operation) of \(access.member ?? "") on \(what)"
        default: return "Zombie: \(access.operation) of \(what)"
        }
    }

    static func sentence(_ access: Finding.Access, type: String, killer: SymbolicatedFrame?) -> String {
        let bare = TypeName.bare(type)
        let what = bare == "memory" ? "Memory" : bare
        let place = named(killer).map { " in \($0.function)" } ?? ""
        switch access.operation {
        case "free": return "\(what) was freed\(place), and then freed again."
        case "write after deallocation":
            return "\(what) was deallocated\(place); when its memory was about to be used again it had been written to."
        default:
            let member = access.member.map { " (\($0))" } ?? ""
            return "\(what) was deallocated\(place), then used by \(withArticle(access.operation))\(member)."
        }
    }

    private static func named(_ frame: SymbolicatedFrame?) -> SymbolicatedFrame? {
        frame.flatMap { FunctionName.isPlace($0.function) ? nil : $0 }
    }

    private static func withArticle(_ operation: String) -> String {
        switch operation {
        case "reference counting": operation
        default: (operation.hasPrefix("unowned") ? "an " : "a ") + operation
        }
    }

    /// What to change. The release that freed the object is named when it was made by hand.
    static func fix(
        _ access: Finding.Access, record: ZombieRecord, type: String, freed: SymbolicatedStack,
        killer: SymbolicatedFrame?
    ) -> String {
        let bare = TypeName.bare(type)
        let place = killer?.place.map { " at \($0)" } ?? ""
        let killer = named(killer)
        if access.operation == "unowned reference load" {
            return "the unowned reference outlives \(bare): make it weak, or let its owner live longer"
        }
        if record.access == .written, !record.type.isNone {
            let last = killer.map { ". \($0.function)\(place) gave the last reference up" } ?? ""
            return "run it with --guard=\(bare.prefix { $0 != "<" }), which stops at the write itself\(last)"
        }
        if record.type.isNone {
            return
                "let only one owner free it, and nobody use it after\(killer.map { " \($0.function)" } ?? "")\(place)"
        }
        if freed.frames.prefix(8).contains(where: { $0.function.contains("Unmanaged.release") }) {
            let name = killer?.function ?? "somebody"
            return "\(name) releases a \(bare) that it does not own (Unmanaged.release\(place))"
        }
        let name = killer.map { "\($0.function)\(place) " } ?? "the last release "
        return "\(name)gave the last reference up: whoever uses \(bare) later must hold it strongly or weakly"
    }
}
