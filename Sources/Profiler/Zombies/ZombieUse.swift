/// In what words a use of a dead object is told: an operation, and the member where one is known.
enum ZombieUse {
    /// The use that a record tells of. `used`: its stack; `method`: the function in the metadata's slot.
    static func access(of record: ZombieRecord, type: String, used: SymbolicatedStack, method: String?)
        -> Finding.Access
    {
        let bare = TypeName.bare(type)
        let property = record.property.isEmpty ? nil : "\(bare).\(FieldName.clean(record.property))"
        let element = record.offset >= 32 && type.contains("Storage") ? "\(bare) element" : nil
        switch record.access {
        case .metadata: return metadata(record, used: used, method: method)
        case .count: return Finding.Access(operation: counting(used) ?? "reference counting")
        case .followed: return Finding.Access(operation: "property read", member: property ?? element)
        case .read: return guarded(record, used, otherwise: "property read", property ?? element)
        case .write: return guarded(record, used, otherwise: "property write", property ?? element)
        case .free: return Finding.Access(operation: "free")
        case .resize: return Finding.Access(operation: "realloc")
        case .written: return Finding.Access(operation: "write after deallocation", member: property ?? element)
        case .unowned: return Finding.Access(operation: "unowned reference load")
        }
    }

    private static func metadata(_ record: ZombieRecord, used: SymbolicatedStack, method: String?) -> Finding.Access {
        if let known = counting(used) { return Finding.Access(operation: known) }
        if runtimeName(
            used, ["dynamicCast", "swift_getDynamicType", "swift_getObjectType", "swift_conformsToProtocol"])
        {
            return Finding.Access(operation: "cast or type check")
        }
        switch record.offset {
        case 8: return Finding.Access(operation: "superclass lookup")
        case -16, -8: return Finding.Access(operation: "release")
        case 0, 24...47: return Finding.Access(operation: "cast or type check")
        default:
            if let method, method.contains("metadata for ") || method.contains(" descriptor for ") {
                return Finding.Access(operation: "type metadata read")
            }
            // Without symbols a function is called by its place in the image, which says nothing.
            guard let method, !FunctionName.isPlace(method) else { return Finding.Access(operation: "method call") }
            return Finding.Access(operation: "method call", member: FunctionName.plain(method))
        }
    }

    private static func guarded(
        _ record: ZombieRecord, _ used: SymbolicatedStack, otherwise: String, _ property: String?
    ) -> Finding.Access {
        if record.offset == 0 { return Finding.Access(operation: counting(used) ?? "method call or type check") }
        if record.offset == 8 { return Finding.Access(operation: counting(used) ?? "reference counting") }
        return Finding.Access(operation: otherwise, member: property)
    }

    /// Words of the runtime's functions, the more telling first.
    private static let operations: [(String, String)] = [
        ("isUniquelyReferenced", "uniqueness check"), ("IsUniquelyReferenced", "uniqueness check"),
        ("weak", "weak reference"), ("Weak", "weak reference"),
        ("unowned", "unowned reference"), ("Unowned", "unowned reference"),
        ("tryRetain", "retain"), ("TryRetain", "retain"), ("retain", "retain"), ("Retain", "retain"),
        ("increment", "retain"), ("release", "release"), ("Release", "release"), ("decrement", "release"),
        ("doDecrement", "release"),
    ]

    /// What the runtime's functions on top of the stack do with a reference count; nil: none of them is there.
    private static func counting(_ stack: SymbolicatedStack) -> String? {
        let top = stack.frames.prefix { $0.origin == .runtime }.map(\.function)
        for (word, operation) in operations where top.contains(where: { isCounting($0) && $0.contains(word) }) {
            return operation
        }
        return nil
    }

    private static func isCounting(_ function: String) -> Bool {
        function.contains("swift_") || function.contains("RefCount") || function.contains("Weak")
    }

    private static func runtimeName(_ stack: SymbolicatedStack, _ words: [String]) -> Bool {
        stack.frames.prefix(6).contains { frame in words.contains { frame.function.contains($0) } }
    }
}
