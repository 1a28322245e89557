import GameprofBasics
import GameprofTrace

/// What lives, how much each object retains, and who holds it.
final class LiveHeapAnalysis {
    private static let depthLimit = 8
    private static let childLimit = 12

    private let ownership: HeapOwnership
    private let heap: LiveHeap
    private let graph: HeldGraph
    private let tree: DominatorTree
    private let names: LiveHeapNames
    private let retained: RetainedBytes
    /// Of an object, with their buffers, large enough for a row of their own.
    private let collections: BitSet
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
        collections = Self.collections(ownership)
        fields = HolderFields(ownership)
    }

    private static func collections(_ ownership: HeapOwnership) -> BitSet {
        let (tree, names) = (ownership.tree, ownership.names)
        let rowBytes = max(ownership.retained[Int(ownership.entry)] / rowShare, 1)
        let isObject = { (node: UInt32) in !names.isBuffer(node) }
        var result = BitSet(count: ownership.heap.count)
        for (place, node) in tree.preorder.enumerated().dropFirst() {
            guard ownership.retained.at(place: UInt32(place)) >= rowBytes, names.isBuffer(node) else { continue }
            let above = tree.parent[Int(node)]
            guard above != ownership.entry, !names.isBuffer(above) else { continue }
            var bytes = ownership.heap.sizes[Int(node)]
            tree.visit(below: UInt32(place), isEnd: isObject) { below, _, isEnd in
                if !isEnd { bytes &+= ownership.heap.sizes[Int(tree.preorder[Int(below)])] }
            }
            if bytes >= rowBytes { result.insert(Int(node)) }
        }
        return result
    }

    /// It has a row: an object, a buffer that nothing owns, or a large collection. Other buffers belong to the nearest above.
    private func isShown(_ node: UInt32) -> Bool {
        !names.isBuffer(node) || isTop(node) || collections.contains(Int(node))
    }

    /// Visits what has a row and stands directly below the node at a place, and the first step of the way to it: places, too.
    private func visitShown(below above: UInt32, _ body: (_ place: UInt32, _ link: UInt32) -> Void) {
        tree.visit(below: above, isEnd: isShown) { place, link, isEnd in
            if isEnd { body(place, link) }
        }
    }

    private func node(at place: UInt32) -> UInt32 { tree.preorder[Int(place)] }

    /// The size of the node at a place, with its buffers.
    private func ownBytes(at place: UInt32) -> UInt64 {
        var result = heap.sizes[Int(node(at: place))]
        tree.visit(below: place, isEnd: isShown) { below, _, isEnd in
            if !isEnd { result &+= heap.sizes[Int(node(at: below))] }
        }
        return result
    }

    /// - Parameter typeLimit: rows of the list of types.
    func section(of snapshot: HeapSnapshot, typeLimit: Int = ReportOptions().heapTypeRows) -> Report.LiveHeap {
        let living = tree.preorder.dropFirst()
        var section = Report.LiveHeap(
            snapshot: Int(snapshot.begin.snapshot.rawValue), name: snapshot.begin.name, objects: living.count,
            bytes: living.reduce(0) { $0 &+ heap.sizes[Int($1)] })
        // Names are looked up by the first alone.
        let rows: [TypeTotals]
        (section.holders, (section.unheld, rows)) = sideBySide(
            where: isShared(blocks: heap.count), holders, { (self.unheld(), self.typeRows()) })
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
        return section
    }

    /// The live blocks that nothing holds; nil: there are none.
    private func unheld() -> Report.LiveHeap.Unheld? {
        guard tree.preorder.count - 1 < heap.count else { return nil }
        var isNamed = [Bool](repeating: false, count: heap.count)
        for edge in heap.targets.indices where heap.ownership(of: edge) == .unowned {
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
            ends[number] = tree.lastPlace(at: UInt32(place)) + 1
        }
        return result
    }

    // MARK: - Holders

    private func holders() -> [Report.LiveHeap.Holder] { rows(below: [0], depth: 0).rows }

    /// Objects of one type, and what holds them; absent: a root, or several objects.
    struct HolderKey: Hashable {
        var holder: String?
        var field: String?
        var type: String
    }

    typealias HolderTotals = [HolderKey: (count: Int, retained: UInt64)]

    /// All objects that are no buffers, by what holds them. Whether a collection has a row differs between the snapshots that are
    /// compared.
    func holderTotals() -> HolderTotals {
        totals { add in
            for (place, above) in tree.preorder.enumerated()
            where above == graph.entry || !names.isBuffer(above) || isTop(above) {
                visitShown(below: UInt32(place)) { below, link in
                    let node = node(at: below)
                    if collections.contains(Int(node)) {
                        visitShown(below: below) { inner, _ in add(self.node(at: inner), above, node) }
                    } else {
                        add(node, above, self.node(at: link))
                    }
                }
            }
        }
    }

    private func isTop(_ node: UInt32) -> Bool { tree.parent[Int(node)] == graph.entry }

    /// Collections by their field: all of a holder's, where one of them is large enough for a row in one of the heaps. `large`:
    /// those of this one.
    func collectionTotals() -> (totals: HolderTotals, large: Set<HolderKey>) {
        let nodes = tree.preorder.dropFirst().filter {
            let above = tree.parent[Int($0)]
            return names.isBuffer($0) && above != graph.entry && !names.isBuffer(above)
        }
        let large = nodes.filter { collections.contains(Int($0)) }.map {
            HolderKey(
                holder: names.text(names.number(tree.parent[Int($0)])), field: fields.text(fields.number(of: $0)),
                type: names.text(names.number($0)))
        }
        return (totals { add in for node in nodes { add(node, tree.parent[Int(node)], node) } }, Set(large))
    }

    /// `forEach`: visits blocks, what holds each, and the block whose field that is.
    private func totals(_ forEach: ((_ node: UInt32, _ above: UInt32, _ link: UInt32) -> Void) -> Void) -> HolderTotals
    {
        struct Numbers: Hashable {
            var holder: Int32
            var field: Int32
            var type: Int32
        }
        var rows: [(key: HolderKey, count: Int, retained: UInt64)] = []
        var known: [Numbers: Int32] = [:]
        var rowOf = [Int32](repeating: -1, count: heap.count)
        forEach { node, above, link in
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
        for (node, row) in rowOf.enumerated() where row >= 0 {
            rows[Int(row)].count += 1
            if isTopmost.contains(node) { rows[Int(row)].retained &+= retained[node] }
        }
        return Dictionary(rows.map { ($0.key, ($0.count, $0.retained)) }) { ($0.0 + $1.0, $0.1 &+ $1.1) }
    }

    /// What names all of the topmost blocks; nil where that is not one root.
    private func root(of places: [UInt32]) -> String? {
        guard let place = places.first, places.count == 1, let root = ownership.roots[node(at: place)] else {
            return nil
        }
        return rootNames.root(root).name
    }

    private struct RowGroup {
        var name: Int32
        var field: Int32
        /// Their places in the tree.
        var members: [UInt32] = []
        var bytes: UInt64 = 0
    }

    /// What the nodes at some places hold, by type and field. The children of one node are mostly alike.
    private func groups(below places: [UInt32]) -> [RowGroup] {
        var groups: [RowGroup] = []
        var known: [UInt64: Int] = [:]
        var last: (key: UInt64, place: Int) = (.max, 0)
        for above in places {
            visitShown(below: above) { child, link in
                let (name, field) = (names.number(node(at: child)), fields.number(of: node(at: link)))
                let key = UInt64(UInt32(bitPattern: name)) << 32 | UInt64(UInt32(bitPattern: field))
                if key != last.key {
                    let place = known[key] ?? groups.count
                    if place == groups.count {
                        groups.append(RowGroup(name: name, field: field))
                        known[key] = place
                    }
                    last = (key, place)
                }
                groups[last.place].members.append(child)
                groups[last.place].bytes &+= retained.at(place: child)
            }
        }
        return groups
    }

    private func rows(below places: [UInt32], depth: Int) -> (rows: [Report.LiveHeap.Holder], omitted: Int) {
        let sorted = groups(below: places).sorted {
            ($0.bytes, names.text($1.name), fields.text($1.field) ?? "")
                > ($1.bytes, names.text($0.name), fields.text($0.field) ?? "")
        }
        let rows = sorted.prefix(Self.childLimit).map { group in
            var row = Report.LiveHeap.Holder(
                type: names.text(group.name), count: group.members.count,
                ownBytes: group.members.reduce(0) { $0 &+ ownBytes(at: $1) }, retainedBytes: group.bytes)
            row.field = fields.text(group.field)
            if depth == 0 { row.root = root(of: group.members) }
            if depth < Self.depthLimit, group.bytes > row.ownBytes {
                (row.children, row.omitted) = self.rows(below: group.members, depth: depth + 1)
            }
            return row
        }
        return (Array(rows), sorted.count - rows.count)
    }
}
