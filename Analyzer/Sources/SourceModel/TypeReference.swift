/// A type as the source writes it.
public indirect enum TypeReference: Hashable, Sendable {
    /// `Game.Box<Card>`: the path and the arguments of its last part.
    case named([String], arguments: [TypeReference])
    case array(TypeReference)
    case dictionary(TypeReference, TypeReference)
    case optional(TypeReference)
    case function(result: TypeReference, isEscaping: Bool)
    case tuple([TypeReference])
    /// `A & B`.
    case composition([TypeReference])
    /// `Card.Type`, whose values are no objects.
    case metatype(TypeReference)
    /// What has no bearing on references, or cannot be read.
    case other

    /// Without optionals around it.
    public var unwrapped: TypeReference {
        if case .optional(let inner) = self { return inner.unwrapped }
        return self
    }

    /// "Box" of `Game.Box<Card>?`; nil for what has no name.
    public var name: String? {
        switch unwrapped {
        case .named(let path, _): path.last
        case .composition(let parts): parts.lazy.compactMap(\.name).first
        default: nil
        }
    }

    public var isOptional: Bool {
        if case .optional = self { return true }
        return false
    }

    public var isFunction: Bool {
        if case .function = unwrapped { return true }
        return false
    }

    /// Names of all types in it, those of a collection's elements and of arguments too, less what functions take.
    public var mentioned: [String] {
        switch self {
        case .named(let path, let arguments): [path.last ?? ""] + arguments.flatMap(\.mentioned)
        case .array(let element), .optional(let element): element.mentioned
        case .dictionary(let key, let value): key.mentioned + value.mentioned
        case .tuple(let parts), .composition(let parts): parts.flatMap(\.mentioned)
        case .function, .metatype, .other: []
        }
    }

    /// Whether it says that it is a standard collection that can grow.
    public var isCollection: Bool {
        switch unwrapped {
        case .array, .dictionary: true
        case .named(let path, _): Self.collections.contains(path.last ?? "")
        default: false
        }
    }

    private static let collections: Set<String> = [
        "Array", "Dictionary", "Set", "ContiguousArray", "Deque", "OrderedSet", "OrderedDictionary", "NSMutableArray",
        "NSMutableDictionary", "NSMutableSet",
    ]

    /// What a loop over it, or a subscript, gives.
    public var element: TypeReference? {
        switch unwrapped {
        case .array(let element): element
        case .dictionary(_, let value): value
        case .named(_, let arguments): arguments.last
        default: nil
        }
    }
}
