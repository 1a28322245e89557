/// A stored or computed property, a global or a local variable: one name.
public struct Variable: Sendable {
    public enum Ownership: String, Hashable, Sendable { case strong, weak, unowned, unownedUnsafe }

    public var name: String
    public var type: TypeReference?
    public var initializer: Expression?
    public var ownership: Ownership = .strong
    public var isLet = false
    public var isStatic = false
    public var isLazy = false
    /// Has a getter and therefore stores nothing.
    public var isComputed = false
    public var isPrivate = false
    public var attributes: [String] = []
    public var accessors: [Function] = []
    /// Of the name.
    public var position: Int

    public init(name: String, position: Int) {
        self.name = name
        self.position = position
    }
}

/// A function, method, initialiser, deinitialiser, accessor or subscript.
public final class Function: Sendable {
    public enum Kind: Sendable { case function, initializer, deinitializer, accessor, subscription }

    public struct Parameter: Sendable {
        public var label: String?
        public var name: String
        public var type: TypeReference
        public var isInout: Bool
        public var hasDefault: Bool

        public init(label: String?, name: String, type: TypeReference, isInout: Bool, hasDefault: Bool) {
            self.label = label
            self.name = name
            self.type = type
            self.isInout = isInout
            self.hasDefault = hasDefault
        }
    }

    public let name: String
    public let kind: Kind
    public let parameters: [Parameter]
    public let result: TypeReference?
    public let isStatic: Bool
    public let isPrivate: Bool
    /// Other modules, a framework or the runtime may call it: it is public, overrides or is marked for that.
    public let isExposed: Bool
    /// Names of type parameters and what they must be.
    public let generics: [String: TypeReference]
    public let attributes: [String]
    /// Nil for a requirement.
    public let body: [Statement]?
    public let position: Int

    public init(
        name: String, kind: Kind, parameters: [Parameter] = [], result: TypeReference? = nil, isStatic: Bool = false,
        isPrivate: Bool = false, isExposed: Bool = false, generics: [String: TypeReference] = [:],
        attributes: [String] = [], body: [Statement]?,
        position: Int
    ) {
        self.name = name
        self.kind = kind
        self.parameters = parameters
        self.result = result
        self.isStatic = isStatic
        self.isPrivate = isPrivate
        self.isExposed = isExposed
        self.generics = generics
        self.attributes = attributes
        self.body = body
        self.position = position
    }

    /// `tilt(to:)`, as a demangled name says it.
    public var signature: String {
        switch kind {
        case .deinitializer: "deinit"
        case .accessor: name
        default: "\(name)(\(parameters.map { "\($0.label ?? "_"):" }.joined()))"
        }
    }
}

/// A type declaration or an extension.
public final class TypeDeclaration: Sendable {
    public enum Kind: String, Sendable {
        case `class`, actor, `struct`, `enum`, `protocol`, `extension`
    }

    public struct Case: Sendable {
        public var name: String
        public var payload: [(label: String?, type: TypeReference)]
        public var position: Int

        public init(name: String, payload: [(label: String?, type: TypeReference)], position: Int) {
            self.name = name
            self.payload = payload
            self.position = position
        }
    }

    public let name: String
    /// `Outer.Inner`.
    public let path: String
    public let kind: Kind
    public let inherited: [TypeReference]
    public let generics: [String: TypeReference]
    public let attributes: [String]
    public let properties: [Variable]
    public let functions: [Function]
    public let cases: [Case]
    public let position: Int

    public init(
        name: String, path: String, kind: Kind, inherited: [TypeReference], generics: [String: TypeReference],
        attributes: [String], properties: [Variable], functions: [Function], cases: [Case], position: Int
    ) {
        self.name = name
        self.path = path
        self.kind = kind
        self.inherited = inherited
        self.generics = generics
        self.attributes = attributes
        self.properties = properties
        self.functions = functions
        self.cases = cases
        self.position = position
    }
}
