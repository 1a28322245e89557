@testable import GameprofAnalysis
@testable import GameprofTrace

/// Builds the graph of a whole heap by hand.
struct LiveHeapFixture {
    private var rows: [HeapNodeRow] = []
    private var references: [[HeapNodeEdge]] = []
    private var labels: [String: UInt32] = [:]
    private var typeIDs: [String: TypeID] = [:]
    private(set) var types = TypeTable()
    private var builder = LiveHeapBuilder()
    private var roots: [HeapRoot] = []
    /// Names of functions and of variables.
    let names = HeapFixture()

    /// Adds an object; nil: memory without a type. Returns its position.
    mutating func object(
        _ type: String?, size: UInt64 = 32, strong: UInt32 = 1, stack: StackID = .none,
        kind: TypeNameRecord.Kind = .classInstance, isReachable: Bool = true
    ) -> Int {
        var flags: HeapNodeRow.Flags = isReachable ? [.reachable] : []
        if type != nil { flags.formUnion([.swift, .countSure]) }
        rows.append(
            HeapNodeRow(
                flags: flags, size: size, distance: rows.isEmpty ? 0 : 4, type: type.map { typeID($0, kind) } ?? .none,
                stack: stack, strong: strong))
        references.append([])
        return rows.count - 1
    }

    private mutating func typeID(_ name: String, _ kind: TypeNameRecord.Kind) -> TypeID {
        if let known = typeIDs[name] { return known }
        let id = TypeID(UInt32(typeIDs.count + 1))
        typeIDs[name] = id
        types.add(TypeRecord(id: id, metadata: UInt64(id.rawValue) * 64))
        types.add(TypeNameRecord(kind: kind, metadata: UInt64(id.rawValue) * 64, name: name))
        return id
    }

    /// `function`: of the closure whose context is referred to.
    mutating func refer(
        _ from: Int, _ label: String = "", _ to: Int, ownership: Ownership = .strong,
        kind: HeapReference.Kind = .field, calling function: String? = nil
    ) {
        var number: UInt32 = 0
        let key = (kind == .field ? "" : "\(kind) ") + label + (function.map { " calling \($0)" } ?? "")
        if !key.isEmpty {
            number = labels[key] ?? UInt32(labels.count + 1)
            if labels[key] == nil {
                labels[key] = number
                builder.note(
                    HeapLabelRecord(
                        number: number, kind: kind, function: function.map(names.function(named:)) ?? 0, path: label))
            }
        }
        references[from].append(HeapNodeEdge(step: Int64(to - from), ownership: ownership, label: number))
    }

    mutating func root(_ object: Int, kind: HeapRoot.Kind = .global) {
        roots.append(HeapRoot(object: ObjectID(UInt32(object + 1)), kind: kind, address: 64))
    }

    var heap: LiveHeap {
        var builder = builder
        var all = rows
        for position in all.indices { all[position].edgeCount = UInt32(references[position].count) }
        builder.note(
            HeapNodesRecord(first: ObjectID(1), address: 4096, rows: all, edges: references.flatMap { $0 }))
        for root in roots { builder.note(root) }
        return builder.finish() ?? LiveHeap()
    }

    var ownership: HeapOwnership { HeapOwnership(heap, types: types) }

    var rootNames: RootNames { RootNames(symbolicator: names) }

    var section: Report.LiveHeap {
        LiveHeapAnalysis(HeapOwnership(heap, types: types), rootNames: RootNames(symbolicator: HeapFixture()))
            .section(of: HeapSnapshot(begin: HeapBeginRecord(snapshot: SnapshotID(1))))
    }

    var dump: HeapDump {
        HeapDump(
            heap, of: HeapBeginRecord(snapshot: SnapshotID(1)), types: types,
            rootNames: RootNames(symbolicator: HeapFixture()))
    }

    var tree: DominatorTree {
        let graph = HeldGraph(heap)
        return DominatorTree(graph)
    }

    /// The object that alone keeps it alive; nil: a root does, or several objects do. Nothing reaches it: -1.
    func holder(of object: Int) -> Int? {
        let parent = tree.parent[object]
        if parent == DominatorTree.none { return -1 }
        return Int(parent) == rows.count ? nil : Int(parent)
    }
}
