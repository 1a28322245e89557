import GameprofTraceFile

/// The Swift types that the recorded program used, by number.
public struct TypeTable: Sendable {
    private var metadata: [TypeID: UInt64] = [:]
    private var records: [UInt64: TypeNameRecord] = [:]

    public init() {}

    /// Remembers where the metadata of a type stands.
    public mutating func add(_ record: TypeRecord) { metadata[record.id] = record.metadata }

    /// Remembers the name and kind of the type whose metadata stands at `record.metadata`.
    public mutating func add(_ record: TypeNameRecord) { records[record.metadata] = record }

    /// All that the trace says of a type; nil when its name was never recorded.
    public func record(_ id: TypeID) -> TypeNameRecord? { metadata[id].flatMap { records[$0] } }

    /// Name with module as Swift prints it (`Game.Box<Game.Card>`); empty when it has none or is not known.
    public func name(_ id: TypeID) -> String { record(id)?.name ?? "" }

    /// What kind of heap object it is; nil when not known.
    public func kind(_ id: TypeID) -> TypeNameRecord.Kind? { record(id)?.kind }

    /// No type has a higher number: a recorder numbers them one after the other, a damaged trace may hold any.
    public var highestIndex: Int { 4 * metadata.count + 1024 }

    /// The numbers of all types.
    public var ids: some Collection<TypeID> { metadata.keys }
}
