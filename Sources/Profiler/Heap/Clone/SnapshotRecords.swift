import GameprofTrace

/// What a search has found as records of the trace, with the trace's numbers of types and the recorder's places of roots.
struct SnapshotRecords {
    /// Rows and references of one record of the graph, which has to fit into a chunk: 30 and 8 bytes each, at most, and fewer than
    /// twice as many references.
    private static let (rowsOfRecord, edgesOfRow) = (512, 2048)

    /// The trace's numbers of types, by those of the search.
    private let numbers: [TypeID: TypeID]
    private let places: RootPlaces?
    private let keepsUnread: Bool
    private let take: (TraceRecord.Heap) throws -> Void

    /// - Parameters:
    ///   - places: nil: nothing more is known of them than the roots say.
    ///   - keepsUnread: what was found is told also where memory of the process could not be read.
    ///   - take: takes each record.
    init(
        _ numbers: [TypeID: TypeID], _ places: RootPlaces?, keepsUnread: Bool = false,
        take: @escaping (TraceRecord.Heap) throws -> Void
    ) {
        (self.numbers, self.places, self.keepsUnread, self.take) = (numbers, places, keepsUnread, take)
    }

    private func number(_ type: TypeID) -> TypeID { numbers[type] ?? .none }

    private func numbered(_ row: HeapCensusRecord) -> HeapCensusRecord {
        var row = row
        row.type = number(row.type)
        return row
    }

    private func place(_ root: HeapRoot) -> HeapRoot { places?.place(root) ?? root }

    /// Where not all that may hold the program's words was read, nothing is known of what is lost.
    func add(_ snapshot: HeapSnapshot) throws {
        try add(snapshot.resident)
        if let tasks = snapshot.tasks { try add(tasks) }
        guard keepsUnread || snapshot.unread == nil else { return }
        for row in snapshot.lost { try take(.lost(numbered(row))) }
        for object in snapshot.objects {
            var object = object
            object.type = number(object.type)
            try take(.object(object))
        }
        for reference in snapshot.references {
            var reference = reference
            reference.declaredType = number(reference.declaredType)
            try take(.reference(reference))
        }
        for root in snapshot.roots { try take(.root(place(root))) }
        for target in snapshot.targets {
            var target = target
            target.type = number(target.type)
            try take(.target(target))
        }
        if let graph = snapshot.graph { try add(graph) }
    }

    private func add(_ resident: ResidentFacts) throws {
        for map in resident.maps { try take(.residentMap(map)) }
        for range in resident.ranges { try take(.residentRange(range)) }
        for row in resident.pinned { try take(.pinned(numbered(row))) }
        for row in resident.unused { try take(.unused(numbered(row))) }
        for row in resident.untouched { try take(.untouched(numbered(row))) }
    }

    private func add(_ list: TaskList) throws {
        var head = list
        head.tasks = []
        try take(.tasks(head))
        for task in list.tasks { try take(.task(task)) }
    }

    // MARK: - The graph

    private func add(_ graph: LiveHeap) throws {
        for label in graph.labels.dropFirst() {
            var label = label
            label.declaredType = number(label.declaredType)
            try take(.label(label))
        }
        let empty = HeapNodesRecord(first: .none, address: 0, rows: [], edges: [])
        var record = empty
        var last: UInt64 = 0
        var (address, size) = (graph.addresses.makeIterator(), graph.sizes.makeIterator())
        var (type, stack) = (graph.types.makeIterator(), graph.stacks.makeIterator())
        var strong = graph.strongCounts.makeIterator()
        for block in 0..<graph.count {
            let start = address.next() ?? 0
            if record.first.isNone {
                (record.first, record.address) = (ObjectID(rawValue: UInt32(block + 1)), start)
                last = start
            }
            var row = HeapNodeRow(
                flags: graph.flags[block], size: size.next() ?? 0, distance: (start &- last) >> 4,
                type: number(type.next() ?? .none), stack: stack.next() ?? .none, strong: strong.next() ?? 0)
            last = start
            var references = graph.references(of: block)
            repeat {
                let part = references.prefix(Self.edgesOfRow)
                row.edgeCount = UInt32(part.count)
                record.rows.append(row)
                for reference in part {
                    record.edges.append(
                        HeapNodeEdge(
                            step: Int64(graph.targets[reference]) - Int64(block),
                            ownership: graph.ownership(of: reference), label: UInt32(graph.label(of: reference))))
                }
                references = references.dropFirst(part.count)
                row = HeapNodeRow(flags: .more)
                if record.rows.count >= Self.rowsOfRecord || record.edges.count >= Self.edgesOfRow {
                    try take(.nodes(record))
                    record = empty
                }
            } while !references.isEmpty
        }
        if !record.rows.isEmpty { try take(.nodes(record)) }
        for root in graph.roots { try take(.graphRoot(place(root))) }
    }
}
