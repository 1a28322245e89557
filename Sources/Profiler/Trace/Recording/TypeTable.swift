/// The Swift types that the recorded program used, by number.
public struct TypeTable: Sendable {
    private var metadata: [TypeID: UInt64] = [:]
    private var records: [UInt64: TypeNameRecord] = [:]

    public init() {}

    /// Remembers where the metadata of a type stands.
    public mutating func add(_ record: TypeRecord) { metadata[record.id] = record.metadata }

    /// Remembers the name and kind of the type whose metadata stands at `record.metadata`.
    public mutating func add(_ record: TypeNameRecord) { records[record.metadata] = record }

    /// Takes over the types of a search in the same process, which has numbers of its own: those that they have here.
    package mutating func merge(_ others: TypeTable) -> [TypeID: TypeID] {
        let known = Dictionary(metadata.map { ($1, $0) }) { min($0, $1) }
        var next = (metadata.keys.max()?.rawValue ?? 0) + 1
        var numbers: [TypeID: TypeID] = [:]
        for (id, place) in others.metadata.sorted(by: { $0.key < $1.key }) {
            if let own = known[place] {
                numbers[id] = own
            } else {
                numbers[id] = TypeID(rawValue: next)
                metadata[TypeID(rawValue: next)] = place
                next += 1
            }
        }
        records.merge(others.records) { own, _ in own }
        return numbers
    }

    /// All that the trace says of a type; nil when its name was never recorded.
    public func record(_ id: TypeID) -> TypeNameRecord? { metadata[id].flatMap { records[$0] } }

    /// Name with module as Swift prints it (`Game.Box<Game.Card>`); empty when it has none or is not known.
    public func name(_ id: TypeID) -> String { record(id)?.name ?? "" }

    /// What kind of heap object it is; nil when not known.
    public func kind(_ id: TypeID) -> TypeNameRecord.Kind? { record(id)?.kind }

    /// Names of a class and of those that it inherits from.
    public func ancestry(_ id: TypeID) -> [String] {
        var result: [String] = []
        var next = record(id)
        while let type = next, type.kind == .classInstance, result.count < 32 {
            result.append(type.name)
            next = records[type.superclass]
        }
        return result
    }

    /// No type has a higher number: a recorder numbers them one after the other, a damaged trace may hold any.
    public var highestIndex: Int { 4 * metadata.count + 1024 }

    /// The numbers of all types.
    public var ids: some Collection<TypeID> { metadata.keys }

    /// What a trace says of the types with a number above this one, and of those without a number that they inherit from.
    package func records(above last: TypeID) -> (types: [TypeRecord], names: [TypeNameRecord]) {
        let types = metadata.filter { $0.key > last }.map { TypeRecord(id: $0.key, metadata: $0.value) }
            .sorted { $0.id < $1.id }
        var names: [TypeNameRecord] = []
        var known = Set(metadata.filter { $0.key <= last }.values)
        for type in types {
            var next = records[type.metadata]
            while let record = next, known.insert(record.metadata).inserted {
                names.append(record)
                next = records[record.superclass]
            }
        }
        return (types, names)
    }
}
