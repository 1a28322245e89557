import GameprofBasics
import GameprofTrace

/// What a heap snapshot lists, packed for the algorithms: objects are named by their position (object number − 1),
/// and labels are stored once, so that a million objects cost a few dozen megabytes.
struct HeapGraph: Sendable {
    /// A reference between two listed objects.
    struct Edge: Sendable {
        var from: Int32
        var to: Int32
        var ownership: Ownership
        var kind: HeapReference.Kind
        /// Position in `labels`.
        var label: Int32
        var position: UInt32
        /// Code address of the closure whose context the target is, else 0.
        var function: UInt64
        /// The superclass that declares the field; none: the object's own class does.
        var declaredType: TypeID
        /// How the property is declared.
        var flags: HeapReference.Flags
        /// Position in `labels` of the structure that declares the last property on the path.
        var owner: Int32
        /// A word of a task by which it is linked to the next one in a queue. One that is in no queue keeps the last.
        var isQueueLink = false

        /// `weak` does not compile for what holds it.
        var cannotBeWeak: Bool { flags.contains(.notWeak) }
    }

    /// Where a task has such words: `SchedulerPrivate` of the runtime's `Job`.
    private static let queueLinks: Range<UInt32> = 16..<32

    let objects: [HeapObject]
    let edges: [Edge]
    /// Cleaned field paths, and names of structures; `labels[0]` is the empty label.
    let labels: [String]
    let roots: [HeapRoot]
    /// By type number; `types[0]` stands for raw memory.
    let types: [TypeNameRecord?]
    private let table: TypeTable

    init(snapshot: HeapSnapshot, types table: TypeTable) {
        self.table = table
        objects = snapshot.objects.map { object in
            guard object.type.index > table.highestIndex else { return object }
            var untyped = object
            untyped.type = .none
            return untyped
        }
        roots = snapshot.roots
        let highest = objects.reduce(0) { max($0, $1.type.index) }
        var types = [TypeNameRecord?](repeating: nil, count: highest + 1)
        for object in objects where !object.type.isNone && types[object.type.index] == nil {
            types[object.type.index] = table.record(object.type)
        }
        self.types = types

        var labels = [""]
        var known: [String: Int32] = ["": 0]
        func label(_ text: String) -> Int32 {
            if let position = known[text] { return position }
            let position = Int32(labels.count)
            known[text] = position
            labels.append(FieldName.clean(text))
            return position
        }
        edges = snapshot.references.map { reference in
            Edge(
                from: Int32(reference.from.index - 1), to: Int32(reference.to.index - 1),
                ownership: reference.ownership, kind: reference.kind, label: label(reference.path),
                position: reference.position, function: reference.function, declaredType: reference.declaredType,
                flags: reference.flags, owner: label(reference.owner),
                isQueueLink: reference.kind == .task && Self.queueLinks.contains(reference.offset))
        }
        self.labels = labels
    }

    func label(of edge: Edge) -> String { labels[Int(edge.label)] }

    func object(_ position: Int32) -> HeapObject { objects[Int(position)] }

    /// The printed name of a type; nil when it is none, or has none.
    func typeName(_ type: TypeID) -> String? {
        let name = type.isNone ? "" : table.name(type)
        return name.isEmpty ? nil : name
    }

    func record(of type: TypeID) -> TypeNameRecord? { type.isNone ? nil : table.record(type) }

    func type(of position: Int32) -> TypeNameRecord? { types[objects[Int(position)].type.index] }

    /// Every code address whose name a report may print: closures' functions and contexts' destroyers.
    var functionAddresses: Set<UInt64> {
        var result = Set<UInt64>()
        for edge in edges where edge.function != 0 { result.insert(edge.function) }
        for case let type? in types where type.kind == .local && type.destroy != 0 { result.insert(type.destroy) }
        return result
    }
}

extension Ownership {
    /// Keeps its target alive, or may do so.
    var holds: Bool { self == .strong || self == .conservative }
}

extension HeapObject {
    /// Nothing can reach it any more: no root does, or its counts prove that the word which does owns nothing.
    public var isLost: Bool { !flags.contains(.reachable) || flags.contains(.countClosed) }
}
