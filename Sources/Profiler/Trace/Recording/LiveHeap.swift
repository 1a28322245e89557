/// All live blocks of a heap snapshot and the references between them, in columns: mostly 11 bytes a block, 4 more where its
/// stack is known, and 5 a reference.
/// Blocks are named by their position: 0, 1, 2 … in ascending order of address.
public struct LiveHeap: Sendable {
    public package(set) var addresses = AddressColumn()
    /// Requested bytes.
    public package(set) var sizes = SmallColumn<UInt16, UInt64>()
    /// None: raw memory.
    public package(set) var types = TypeColumn()
    /// The stacks that allocated them.
    public package(set) var stacks = StackColumn()
    /// Strong reference counts; 0 for raw memory.
    public package(set) var strongCounts = SmallColumn<UInt8, UInt32>()
    public package(set) var flags: [HeapNodeRow.Flags] = []
    /// Where the references of each block begin, and where the last one's end.
    public package(set) var rows: [UInt32] = [0]
    /// By reference: the block that it names.
    public package(set) var targets: [UInt32] = []
    @usableFromInline var kinds = ReferenceKinds()
    /// How references are called; the first has no name.
    public package(set) var labels: [HeapLabelRecord] = [HeapLabelRecord(number: 0, kind: .none)]
    /// What keeps blocks alive from outside: at most one for each block.
    public package(set) var roots: [HeapRoot] = []
    /// Records are missing, or make no sense: what there is was kept.
    public package(set) var isDamaged = false

    public init() {}

    /// With room for so many.
    package init(blocks: Int, references: Int) {
        (addresses, sizes) = (AddressColumn(room: blocks), SmallColumn(room: blocks))
        (types, strongCounts, flags) = (TypeColumn(room: blocks), SmallColumn(room: blocks), Array(room: blocks))
        rows = Array(room: blocks + 1)
        rows.append(0)
        (targets, kinds) = (Array(room: references), ReferenceKinds(room: references))
    }

    /// Number of blocks.
    @inlinable
    public var count: Int { sizes.count }

    /// Positions of a block's references.
    @inlinable
    public func references(of block: Int) -> Range<Int> { Int(rows[block])..<Int(rows[block + 1]) }

    /// Of a reference: position in `labels`.
    @inlinable public func label(of reference: Int) -> UInt16 { kinds[reference].label }

    @inlinable public func ownership(of reference: Int) -> Ownership { kinds[reference].ownership }

    /// Where the labels and ownerships of references stand, for walks that have them fetched.
    package struct KindPlaces {
        @usableFromInline let start: UnsafeRawPointer
        @usableFromInline let stride: Int

        @inlinable
        package func place(of reference: Int) -> UnsafeRawPointer { start + stride * reference }
    }

    package func withKinds(_ body: (KindPlaces) -> Void) {
        kinds.numbers.withBytes { body(KindPlaces(start: $0, stride: $1)) }
    }

    /// Begins the next block. Its references follow.
    package mutating func add(
        address: UInt64, size: UInt64, type: TypeID, stack: StackID = .none, strong: UInt32, flags: HeapNodeRow.Flags
    ) {
        addresses.append(address)
        sizes.append(size)
        types.append(type)
        stacks.append(stack)
        strongCounts.append(strong)
        self.flags.append(flags)
        rows.append(UInt32(targets.count))
    }

    /// Adds a reference of the last block.
    package mutating func add(target: UInt32, label: UInt32, ownership: Ownership) {
        guard targets.count < Self.mostReferences else {
            isDamaged = true
            return
        }
        targets.append(target)
        kinds.append(label, ownership)
        rows[count] += 1
    }

    /// With a root for each of some hundred million blocks they are numbers of 32 bits.
    private static let mostReferences = 4_000_000_000

    /// Whether the object's deinit has run, or runs: nothing but unowned references keeps its memory.
    public func isDeinitialised(_ block: Int) -> Bool { flags[block].contains(.countSure) && strongCounts[block] == 0 }
}

/// Puts the parts of a heap's graph together.
struct LiveHeapBuilder {
    private var heap = LiveHeap()

    mutating func note(_ record: HeapNodesRecord) {
        var edges = record.edges[...]
        var address = record.address
        for row in record.rows {
            if !row.flags.contains(.more) {
                if row.distance == 0 {
                    heap.isDamaged = heap.isDamaged || record.first.index != heap.count + 1
                }
                address &+= row.distance &* 16
                heap.add(
                    address: address, size: row.size, type: row.type, stack: row.stack, strong: row.strong,
                    flags: row.flags)
            }
            let own = edges.prefix(Int(row.edgeCount))
            edges = edges.dropFirst(own.count)
            guard heap.count > 0 else { continue }
            for edge in own { note(edge) }
        }
    }

    private mutating func note(_ edge: HeapNodeEdge) {
        let (target, overflow) = Int64(heap.count - 1).addingReportingOverflow(edge.step)
        // A block behind the present one may still come.
        guard !overflow, target >= 0, target < Int64(UInt32.max) else {
            heap.isDamaged = true
            return
        }
        heap.add(target: UInt32(target), label: edge.label, ownership: edge.ownership)
    }

    mutating func note(_ label: HeapLabelRecord) {
        guard label.number == UInt32(heap.labels.count) else {
            heap.isDamaged = true
            return
        }
        heap.labels.append(label)
    }

    mutating func note(_ root: HeapRoot) { heap.roots.append(root) }

    /// Blocks and references so far.
    var size: (Int, Int) { (heap.count, heap.targets.count) }

    /// The graph whose parts came since the last call; nil: none came.
    mutating func finish() -> LiveHeap? {
        guard heap.count > 0 else { return nil }
        var result = heap
        heap = LiveHeap()
        let count = result.count
        result.roots.removeAll { $0.object.isNone || $0.object.index > count }
        result.dropMissing()
        return result
    }
}

extension LiveHeap {
    /// Leaves out references to blocks that are not there, and labels that are not.
    fileprivate mutating func dropMissing() {
        if kinds.dropLabels(from: labels.count) { isDamaged = true }
        let (targets, count) = (targets, UInt32(count))
        guard targets.contains(where: { $0 >= count }) else { return }
        isDamaged = true
        kinds.keep { targets[$0] < count }
        self.targets.removeAll { $0 >= count }
        var kept = 0
        var edge = 0
        for block in 0..<Int(count) {
            let end = Int(rows[block + 1])
            while edge < end {
                if targets[edge] < count { kept += 1 }
                edge += 1
            }
            rows[block + 1] = UInt32(kept)
        }
    }
}
