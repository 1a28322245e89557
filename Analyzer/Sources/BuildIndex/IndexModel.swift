import CIndexStore

/// What a build's index says of one compilation of one file.
public struct IndexUnit: Sendable {
    /// Seconds and nanoseconds since 1970.
    public struct Time: Comparable, Sendable {
        public var seconds: Int64
        public var nanoseconds: Int64

        public static func < (left: Self, right: Self) -> Bool {
            (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
        }
    }

    /// Absolute path of the source; empty for a module of the system.
    public var file: String
    public var module: String
    /// When the unit was written: what the source says since then it does not know.
    public var written: Time
    /// Names of its records.
    public var records: [String] = []
    /// Modules that it imports, those of the system left out.
    public var imports: [String] = []
}

/// A declaration, in the file at hand or elsewhere, that a file's record knows.
public struct IndexSymbol: Sendable {
    public enum Kind: Sendable { case `class`, `struct`, `enum`, `protocol`, `alias`, other }

    public var kind: Kind
    /// An accessor, a parameter or an enum's case: found with what it is a part of.
    public var isPart: Bool
    /// As the source writes it, with labels: `subscribe(_:)`.
    public var name: String
    /// The same in every file: `s:` and the mangled name.
    public var usr: String
    private var roles: UInt64

    init(kind: UInt32, subkind: UInt32, roles: UInt64, name: String, usr: String) {
        switch kind {
        case GP_INDEX_KIND_CLASS.rawValue: self.kind = .class
        case GP_INDEX_KIND_STRUCT.rawValue: self.kind = .struct
        case GP_INDEX_KIND_ENUM.rawValue: self.kind = .enum
        case GP_INDEX_KIND_PROTOCOL.rawValue: self.kind = .protocol
        case GP_INDEX_KIND_TYPEALIAS.rawValue: self.kind = .alias
        default: self.kind = .other
        }
        isPart =
            gp_index_is_accessor(subkind) != 0
            || [GP_INDEX_KIND_CASE.rawValue, GP_INDEX_KIND_PARAMETER.rawValue].contains(kind)
        self.roles = roles
        self.name = name
        self.usr = usr
    }

    public var isDefinedHere: Bool { roles & UInt64(GP_INDEX_ROLE_DEFINITION.rawValue) != 0 }
    public var isReferred: Bool { roles & UInt64(GP_INDEX_ROLE_REFERENCE.rawValue) != 0 }
    /// The file holds an extension of it.
    public var isExtendedHere: Bool { roles & UInt64(GP_INDEX_ROLE_EXTENDED_BY.rawValue) != 0 }
    public var isType: Bool { kind != .other && kind != .alias }
}

/// A place in a file where a symbol occurs.
public struct IndexOccurrence: Sendable {
    /// Its place among the symbols of the record.
    public var symbol: Int
    /// From 1; columns count UTF-8 bytes.
    public var line: Int
    public var column: Int
    public var isDefinition: Bool
}

/// What a file declares and mentions.
public struct IndexRecord: Sendable {
    public var symbols: [IndexSymbol] = []
    /// By line and column; empty when they were not asked for.
    public var occurrences: [IndexOccurrence] = []

    public init() {}
}
