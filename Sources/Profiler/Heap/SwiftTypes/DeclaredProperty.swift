import GameprofBasics
import GameprofTrace

/// How the source declares a stored property.
struct DeclaredProperty {
    /// The structure that it is a member of, with module; empty: a class.
    var owner = ""
    var form = HeapReference.Form.unknown
    var isConstant = false

    /// The flags of a path that begins with it, and of one that ends there.
    var asFirst: HeapReference.Flags { .form(form).union(isConstant ? .constant : []) }
    var asLast: HeapReference.Flags { .form(last: form).union(isConstant ? .lastConstant : []) }

    /// Types that can be emptied.
    private static let collections: Set<String> = [
        "Array", "ContiguousArray", "ArraySlice", "Dictionary", "Set", "Deque", "OrderedDictionary", "OrderedSet",
        "TreeDictionary", "TreeSet", "Heap",
    ]
    private static let modules: Set<String> = [
        "Swift", "DequeModule", "OrderedCollections", "HashTreeCollections", "HeapModule",
    ]

    /// - Parameter structure: the one that declares it; nil: a class does.
    init(
        _ field: ContextDescriptor.Field, in memory: MemoryImage, _ environment: GenericEnvironment,
        of structure: ContextDescriptor? = nil
    ) {
        owner = structure.map { $0.chain.reversed().compactMap(\.name).joined(separator: ".") } ?? ""
        isConstant = field.isConstant
        form =
            FieldName.isLazy(field.name)
            ? .lazy : Self.form(of: MangledName.type(at: field.type, in: memory, environment))
    }

    private static func form(of type: StoredType) -> HeapReference.Form {
        switch type {
        case .unknown, .metadata: return .unknown
        case .function: return .function
        case .storage(.weak, let referent), .storage(.unowned, let referent): return form(of: referent)
        case .nominal(let nominal):
            if nominal.module == "Swift", nominal.name == "Optional" { return .optional }
            if collections.contains(nominal.name), modules.contains(nominal.module) { return .collection }
            if nominal.module == "Synchronization", nominal.name == "Mutex" {
                return nominal.arguments.first.map(canBeEmptied) == true ? .locked : .other
            }
            return nominal.descriptor?.kind == .enumType ? .enumeration : .other
        case .tuple, .thinFunction, .metatype, .existentialMetatype, .existential, .builtin, .storage, .box,
            .integer, .proto:
            return .other
        }
    }

    private static func canBeEmptied(_ type: StoredType) -> Bool {
        if case .nominal(let nominal) = type, nominal.descriptor?.kind == .structType { return true }
        return [.optional, .collection].contains(form(of: type))
    }
}
