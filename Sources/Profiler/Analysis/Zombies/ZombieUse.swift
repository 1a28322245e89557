import GameprofBasics
import GameprofTrace

/// How a dead object was used: the operation, and the member where one is known.
struct ZombieUse {
    var operation: Finding.Operation
    var member: String?

    private init(_ operation: Finding.Operation, member: String? = nil) {
        self.operation = operation
        self.member = member
    }

    /// The use that a record tells of. `used`: its stack; `method`: the function in the metadata's slot.
    static func of(_ record: ZombieRecord, type: String, used: SymbolicatedStack, method: String?) -> ZombieUse {
        let bare = TypeName.bare(type)
        let property = Self.property(record).map { "\(bare).\($0)" }
        let element = record.offset >= 32 && type.contains("Storage") ? "\(bare) element" : nil
        switch record.access {
        case .metadata: return metadata(record, used: used, method: method)
        case .count: return ZombieUse(counting(used) ?? .referenceCounting)
        case .followed: return ZombieUse(.propertyRead, member: property ?? element)
        case .read: return guarded(record, used, otherwise: .propertyRead, property ?? element)
        case .write: return guarded(record, used, otherwise: .propertyWrite, property ?? element)
        case .free: return ZombieUse(.free)
        case .resize: return ZombieUse(.resize)
        case .written: return ZombieUse(.lateWrite, member: property ?? element)
        case .unowned: return ZombieUse(.unownedLoad)
        }
    }

    /// What the source calls it.
    private static func property(_ record: ZombieRecord) -> String? {
        record.property.isEmpty ? nil : FieldName.source(Identifier.withSpaces(record.property)[...])
    }

    private static func metadata(_ record: ZombieRecord, used: SymbolicatedStack, method: String?) -> ZombieUse {
        if let known = counting(used) { return ZombieUse(known) }
        if runtimeName(
            used, ["dynamicCast", "swift_getDynamicType", "swift_getObjectType", "swift_conformsToProtocol"])
        {
            return ZombieUse(.typeCheck)
        }
        switch record.offset {
        case 8: return ZombieUse(.superclassLookup)
        case -16, -8: return ZombieUse(.release)
        case 0, 24...47: return ZombieUse(.typeCheck)
        default:
            if let method, FunctionName.isMetadata(method) { return ZombieUse(.metadataRead) }
            // Without symbols a function is called by its place in the image, which says nothing.
            guard let method, !FunctionName.isPlace(method) else { return ZombieUse(.methodCall) }
            return ZombieUse(.methodCall, member: FunctionName.plain(method))
        }
    }

    private static func guarded(
        _ record: ZombieRecord, _ used: SymbolicatedStack, otherwise: Finding.Operation, _ property: String?
    ) -> ZombieUse {
        let isObject = record.type.rawValue != 0
        if isObject, record.offset == 0 { return ZombieUse(counting(used) ?? .methodCallOrTypeCheck) }
        if isObject, record.offset == 8 { return ZombieUse(counting(used) ?? .referenceCounting) }
        return ZombieUse(otherwise, member: property)
    }

    /// Words of the runtime's functions, the more telling first.
    private static let operations: [(String, Finding.Operation)] = [
        ("isUniquelyReferenced", .uniquenessCheck), ("IsUniquelyReferenced", .uniquenessCheck),
        ("weak", .weakReference), ("Weak", .weakReference),
        ("unowned", .unownedReference), ("Unowned", .unownedReference),
        ("tryRetain", .retain), ("TryRetain", .retain), ("retain", .retain), ("Retain", .retain),
        ("increment", .retain), ("release", .release), ("Release", .release), ("decrement", .release),
        ("doDecrement", .release),
    ]

    /// What the runtime's functions on top of the stack do with a reference count; nil: none of them is there.
    private static func counting(_ stack: SymbolicatedStack) -> Finding.Operation? {
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
