import GameprofBasics
import GameprofRecording
import GameprofReportModel
import GameprofSymbolication
import GameprofTraceFile

/// What lives, how much each object retains, and who holds it.
struct LiveHeapAnalysis {
    private static let depthLimit = 8
    private static let childLimit = 12

    private let ownership: HeapOwnership
    private let heap: LiveHeap
    private let graph: HeldGraph
    private let tree: DominatorTree
    private let names: LiveHeapNames
    private let retained: [UInt64]
    /// By block: the nearest object above it in the tree that is no buffer, closure context or box, or that has a row
    /// although it is one (`collections`, topmost ones); the entry: a root holds it.
    private let owner: [UInt32]
    /// By block, with its buffers: those of which it is the owner.
    private let own: [UInt64]
    /// Collections of an object, with their buffers, that are large enough for a row of their own.
    private let collections: Set<UInt32>
    /// Of the heap, one in so many bytes earns a collection a row.
    private static let rowShare: UInt64 = 100
    private let fields: HolderFields
    private let rootNames: RootNames

    init(_ ownership: HeapOwnership, rootNames: RootNames) {
        self.ownership = ownership
        self.rootNames = rootNames
        heap = ownership.heap
        graph = ownership.graph
        tree = ownership.tree
        names = ownership.names
        retained = ownership.retained
        (owner, own, collections) = Self.owners(
            ownership.heap, ownership.tree, ownership.names, entry: ownership.entry,
            rowBytes: max(ownership.retained[Int(ownership.entry)] / Self.rowShare, 1))
        fields = HolderFields(ownership, owner: owner)
    }

    private static func owners(
        _ heap: LiveHeap, _ tree: DominatorTree, _ names: LiveHeapNames, entry: UInt32, rowBytes: UInt64
    ) -> (owner: [UInt32], own: [UInt64], collections: Set<UInt32>) {
        var own = heap.sizes
        var collections: Set<UInt32> = []
        for node in tree.preorder.dropFirst().reversed() where names.isBuffer(node) {
            let above = tree.parent[Int(node)]
            guard above != entry else { continue }
            if own[Int(node)] < rowBytes || names.isBuffer(above) {
                own[Int(above)] &+= own[Int(node)]
            } else {
                collections.insert(node)
            }
        }
        var owner = [UInt32](repeating: entry, count: heap.count + 1)
        for node in tree.preorder.dropFirst() {
            let above = tree.parent[Int(node)]
            let isOwner =
                above == entry || !names.isBuffer(above) || owner[Int(above)] == entry || collections.contains(above)
            owner[Int(node)] = isOwner ? above : owner[Int(above)]
        }
        return (owner, own, collections)
    }

    /// - Parameter typeLimit: rows of the list of types.
    func section(of snapshot: HeapSnapshot, typeLimit: Int = ReportOptions().heapTypeRows) -> Report.LiveHeap {
        let living = tree.preorder.dropFirst()
        var section = Report.LiveHeap(
            snapshot: Int(snapshot.begin.snapshot.rawValue), name: snapshot.begin.name, objects: living.count,
            bytes: living.reduce(0) { $0 &+ heap.sizes[Int($1)] })
        section.unheld = unheld()
        let rows = typeRows()
        let shown = rows.prefix(typeLimit)
        section.typesOmitted = rows.count - shown.count
        let symbolicator = rootNames.symbolicator
        symbolicator.prepare(stacks: Set(shown.map(\.largestStack)), addresses: [])
        section.types = shown.map { row in
            var result = Report.LiveHeap.TypeRow(
                type: names.text(row.name), count: row.count, shallowBytes: row.shallow, retainedBytes: row.retained)
            result.allocatedBy = CallStack(symbolicator.stack(row.largestStack))
            return result
        }
        section.holders = holders()
        return section
    }

    /// The live blocks that nothing holds; nil: there are none.
    private func unheld() -> Report.LiveHeap.Unheld? {
        guard tree.preorder.count - 1 < heap.count else { return nil }
        var isNamed = [Bool](repeating: false, count: heap.count)
        for edge in heap.targets.indices where heap.ownerships[edge] == .unowned {
            isNamed[Int(heap.targets[edge])] = true
        }
        var result = Report.LiveHeap.Unheld()
        for block in 0..<heap.count where tree.parent[block] == DominatorTree.none {
            result.blocks += 1
            result.bytes &+= heap.sizes[block]
            if heap.flags[block].contains(.reachable), isNamed[block] { result.unowned += 1 }
        }
        return result
    }

    /// How large the heap is.
    func summary(of snapshot: HeapSnapshot) -> Report.LiveHeap.First {
        Report.LiveHeap.First(
            snapshot: Int(snapshot.begin.snapshot.rawValue), name: snapshot.begin.name,
            objects: tree.preorder.count - 1, bytes: retained[Int(graph.entry)])
    }

    // MARK: - Types

    private struct TypeTotals {
        var name: Int32
        var count = 0
        var shallow: UInt64 = 0
        var retained: UInt64 = 0
        /// That made the most bytes, and how many.
        private var largest: (stack: StackID, bytes: UInt64)?

        init(name: Int32) { self.name = name }

        var largestStack: StackID { largest?.stack ?? .none }

        mutating func note(_ stack: StackID, _ bytes: UInt64) {
            if let largest, (bytes, largest.stack.rawValue) <= (largest.bytes, stack.rawValue) { return }
            largest = (stack, bytes)
        }
    }

    /// The most retained bytes first.
    private func typeRows() -> [TypeTotals] {
        var rows: [TypeTotals] = (0..<names.count).map { TypeTotals(name: Int32($0)) }
        let isTopmost = topmost(of: names.count, names.number)
        var sums = SumsByKey()
        for node in 0..<UInt32(heap.count) where ownership.isLiving(node) {
            let (name, size) = (Int(names.number(node)), heap.sizes[Int(node)])
            rows[name].count += 1
            rows[name].shallow &+= size
            sums.add(size, to: UInt64(name) << 32 | UInt64(heap.stacks[Int(node)].rawValue))
            if isTopmost.contains(Int(node)) { rows[name].retained &+= retained[Int(node)] }
        }
        for (key, bytes) in sums.all() {
            rows[Int(key >> 32)].note(StackID(UInt32(truncatingIfNeeded: key)), bytes)
        }
        return rows.filter { $0.count > 0 }.sorted {
            ($0.retained, $0.shallow, names.text($1.name)) > ($1.retained, $1.shallow, names.text($0.name))
        }
    }

    /// All types, in any order.
    func typeTotals() -> [(type: String, count: Int, retained: UInt64)] {
        typeRows().map { (names.text($0.name), $0.count, $0.retained) }
    }

    /// By block: no block with its number retains it, so that what blocks with a number retain is not counted twice.
    /// `numbers`: how many there are; a block whose number is negative has none.
    private func topmost(of numbers: Int, _ number: (UInt32) -> Int32) -> BitSet {
        var result = BitSet(count: heap.count)
        // By number: behind what its last topmost block retains.
        var ends = [UInt32](repeating: 0, count: numbers)
        for (place, node) in tree.preorder.enumerated().dropFirst() {
            let number = Int(number(node))
            guard number >= 0, UInt32(place) >= ends[number] else { continue }
            result.insert(Int(node))
            ends[number] = tree.range(of: node).upperBound + 1
        }
        return result
    }

    // MARK: - Holders

    private func holders() -> [Report.LiveHeap.Holder] {
        let below = TreeChildren(of: shown(), parents: owner)
        return rows(of: [graph.entry], below, depth: 0).rows
    }

    /// Objects that are no buffers, buffers that nothing owns, and large collections.
    private func shown() -> [UInt32] {
        tree.preorder.dropFirst().filter {
            !names.isBuffer($0) || owner[Int($0)] == graph.entry || collections.contains($0)
        }
    }

    /// Objects of one type, and what holds them; absent: a root, or several objects.
    struct HolderKey: Hashable {
        var holder: String?
        var field: String?
        var type: String
    }

    typealias HolderTotals = [HolderKey: (count: Int, retained: UInt64)]

    /// All objects that are no buffers, by what holds them.
    func holderTotals() -> HolderTotals {
        totals(of: shown().filter { !collections.contains($0) }) { node in
            // Whether a collection has a row differs between the snapshots that are compared.
            let above = owner[Int(node)]
            return collections.contains(above) ? (owner[Int(above)], above) : (above, node)
        }
    }

    /// Collections by their field: all of a holder's, where one of them is large enough for a row in one of the heaps. `large`:
    /// those of this one.
    func collectionTotals() -> (totals: HolderTotals, large: Set<HolderKey>) {
        let nodes = tree.preorder.dropFirst().filter {
            let above = tree.parent[Int($0)]
            return names.isBuffer($0) && above != graph.entry && !names.isBuffer(above)
        }
        let large = nodes.filter(collections.contains).map {
            HolderKey(
                holder: names.text(names.number(tree.parent[Int($0)])), field: fields.text(fields.number(of: $0)),
                type: names.text(names.number($0)))
        }
        return (totals(of: nodes) { (tree.parent[Int($0)], $0) }, Set(large))
    }

    /// `place`: what holds the block, and the block whose field that is.
    private func totals(of nodes: [UInt32], _ place: (UInt32) -> (above: UInt32, link: UInt32)) -> HolderTotals {
        struct Numbers: Hashable {
            var holder: Int32
            var field: Int32
            var type: Int32
        }
        var rows: [(key: HolderKey, count: Int, retained: UInt64)] = []
        var known: [Numbers: Int32] = [:]
        var rowOf = [Int32](repeating: -1, count: heap.count)
        for node in nodes {
            let (above, link) = place(node)
            let key = Numbers(
                holder: above == graph.entry ? -1 : names.number(above), field: fields.number(of: link),
                type: names.number(node))
            let row = known[key] ?? Int32(rows.count)
            if Int(row) == rows.count {
                known[key] = row
                let holder = key.holder < 0 ? nil : names.text(key.holder)
                rows.append(
                    (HolderKey(holder: holder, field: fields.text(key.field), type: names.text(key.type)), 0, 0))
            }
            rowOf[Int(node)] = row
        }
        let isTopmost = topmost(of: rows.count) { rowOf[Int($0)] }
        for node in nodes {
            let row = Int(rowOf[Int(node)])
            rows[row].count += 1
            if isTopmost.contains(Int(node)) { rows[row].retained &+= retained[Int(node)] }
        }
        return Dictionary(rows.map { ($0.key, ($0.count, $0.retained)) }) { ($0.0 + $1.0, $0.1 &+ $1.1) }
    }

    /// What names all of the topmost blocks; nil where that is not one root.
    private func root(of blocks: [UInt32]) -> String? {
        guard let block = blocks.first, blocks.count == 1, let root = ownership.roots[block] else { return nil }
        return rootNames.root(root).name
    }

    private struct RowGroup {
        var name: Int32
        var field: Int32
        var members: [UInt32] = []
        var bytes: UInt64 = 0
    }

    /// What the nodes hold, by type and field. The children of one node are mostly alike.
    private func groups(of nodes: [UInt32], _ below: TreeChildren) -> [RowGroup] {
        var groups: [RowGroup] = []
        var places: [UInt64: Int] = [:]
        var last: (key: UInt64, place: Int) = (.max, 0)
        for node in nodes {
            for child in below[node] {
                let (name, field) = (names.number(child), fields.number(of: child))
                let key = UInt64(UInt32(bitPattern: name)) << 32 | UInt64(UInt32(bitPattern: field))
                if key != last.key {
                    let place = places[key] ?? groups.count
                    if place == groups.count {
                        groups.append(RowGroup(name: name, field: field))
                        places[key] = place
                    }
                    last = (key, place)
                }
                groups[last.place].members.append(child)
                groups[last.place].bytes &+= retained[Int(child)]
            }
        }
        return groups
    }

    private func rows(
        of nodes: [UInt32], _ below: TreeChildren, depth: Int
    ) -> (rows: [Report.LiveHeap.Holder], omitted: Int) {
        let sorted = groups(of: nodes, below).sorted {
            ($0.bytes, names.text($1.name), fields.text($1.field) ?? "")
                > ($1.bytes, names.text($0.name), fields.text($0.field) ?? "")
        }
        let rows = sorted.prefix(Self.childLimit).map { group in
            var row = Report.LiveHeap.Holder(
                type: names.text(group.name), count: group.members.count,
                ownBytes: group.members.reduce(0) { $0 &+ own[Int($1)] }, retainedBytes: group.bytes)
            row.field = fields.text(group.field)
            if depth == 0 { row.root = root(of: group.members) }
            if depth < Self.depthLimit, group.bytes > row.ownBytes {
                (row.children, row.omitted) = self.rows(of: group.members, below, depth: depth + 1)
            }
            return row
        }
        return (Array(rows), sorted.count - rows.count)
    }
}
