import GameprofBasics
import GameprofTrace

/// The name of a defect that stays the same in another run or build: a hash of its shape alone.
enum Signature {
    /// Of a cycle: its folded steps from the canonical rotation on.
    static func of(kind: HeapFinding.Kind, cycle: [PathStep]) -> String {
        let shapes = cycle.map(\.defect)
        let start = shapes.isEmpty ? 0 : PathFolding.canonicalRotation(shapes)
        var hash = StableHash()
        hash.combine(kind.rawValue)
        for index in shapes.indices { hash.combine(shapes[(start + index) % shapes.count]) }
        return hash.value.hexDigits
    }

    /// Of something that nothing refers to: its type and the function that made it.
    static func of(kind: HeapFinding.Kind, type: String, madeIn functions: [String]) -> String {
        var hash = StableHash()
        hash.combine(kind.rawValue)
        hash.combine(TypeName.declared(type))
        for function in functions { hash.combine(FunctionName.unnumbered(function)) }
        return hash.value.hexDigits
    }

    /// Of a library's objects that keep the user's: what they keep tells one such defect from another.
    static func of(_ signature: String, keeping type: String) -> String {
        var hash = StableHash()
        hash.combine(signature)
        hash.combine(TypeName.declared(type))
        return hash.value.hexDigits
    }

    /// The signature of a finding about things that one function made: its kind and that function.
    static func of(kind: Finding.Kind, madeBy stack: SymbolicatedStack) -> String {
        var hash = StableHash()
        hash.combine(kind.rawValue)
        for function in makers(of: stack) { hash.combine(FunctionName.unnumbered(function)) }
        return hash.value.hexDigits
    }

    /// The functions of a stack by which a leak is told from another: the user's innermost function that is no
    /// initialiser (inlining moves those), or the innermost functions of a stack without the user's code.
    static func makers(of stack: SymbolicatedStack) -> [String] {
        let users = stack.frames.filter { $0.origin == .user }.map(\.function)
        if let maker = users.first(where: { !FunctionName.isInitializer($0) }) ?? users.first { return [maker] }
        return stack.frames.filter { $0.origin == .library }.prefix(3).map(\.function)
    }

    /// The function that a person is told of: the user's, or what they may know of a library, no function inside it.
    static func tellingMaker(of stack: SymbolicatedStack) -> String? {
        let isUsers = stack.frames.contains { $0.origin == .user }
        return makers(of: stack).first { name in
            isUsers || !["_", "swift_"].contains(where: name.hasPrefix) && !FunctionName.isPlace(name)
        }.map(FunctionName.display)
    }

    /// The user's innermost function, an initialiser too: what that opens or maps its caller does not see. Else as `tellingMaker`.
    static func innermostMaker(of stack: SymbolicatedStack) -> String? {
        stack.innermostUser.map { FunctionName.display($0.function) } ?? tellingMaker(of: stack)
    }

    /// The type that was initialised when its initialiser made an object of the other type.
    static func initialised(by stack: SymbolicatedStack, otherThan type: String) -> String? {
        stack.frames.lazy.filter { $0.origin == .user }.prefix { FunctionName.isInitializer($0.function) }
            .compactMap { FunctionName.enclosingType($0.function) }.first { $0 != TypeName.bare(type) }
    }
}
