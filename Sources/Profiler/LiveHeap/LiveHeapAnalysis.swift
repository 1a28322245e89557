import Basics
import Recording
import ReportModel
import Symbolication
import TraceFile

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
    /// By block: the first step from its owner on the way down to it.
    private let top: [UInt32]
    /// By block, with its buffers: those of which it is the owner.
    private let own: [UInt64]
    /// Collections of an object, with their buffers, that are large enough for a row of their own.
    private let collections: Set<UInt32>
    /// Of the heap, one in so many bytes earns a collection a row.
    private static let rowShare: UInt64 = 100
    private let rootNames: RootNames

    init(_ ownership: HeapOwnership, rootNames: RootNames) {
        self.ownership = ownership
        self.rootNames = rootNames
        heap = ownership.heap
        graph = ownership.graph
        tree = ownership.tree
        names = ownership.names
        retained = ownership.retained
        (owner, top, own, collections) = Self.owners(
            ownership.heap, ownership.tree, ownership.names, entry: ownership.entry,
            rowBytes: max(ownership.retained[Int(ownership.entry)] / Self.rowShare, 1))
    }

    private static func owners(
        _ heap: LiveHeap, _ tree: DominatorTree, _ names: LiveHeapNames, entry: UInt32, rowBytes: UInt64
    ) -> (owner: [UInt32], top: [UInt32], own: [UInt64], collections: Set<UInt32>) {
        var own = heap.sizes + [0]
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
        var top = owner
        for node in tree.preorder.dropFirst() {
            let above = tree.parent[Int(node)]
            let isOwner =
                above == entry || !names.isBuffer(above) || owner[Int(above)] == entry || collections.contains(above)
            owner[Int(node)] = isOwner ? above : owner[Int(above)]
            top[Int(node)] = isOwner ? node : top[Int(above)]
        }
        return (owner, top, own, collections)
    }

    /// - Parameter typeLimit: rows of the list of types.
    func section(of snapshot: HeapSnapshot, typeLimit: Int = ReportOptions().heapTypeRows) -> Report.LiveHeap {
        let living = tree.preorder.dropFirst()
        var section = Report.LiveHeap(
            snapshot: Int(snapshot.begin.snapshot.rawValue), name: snapshot.begin.name, objects: living.count,
            bytes: living.reduce(0) { $0 &+ heap.sizes[Int($1)] })
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

    // MARK: - Types

    private struct TypeTotals {
        var name: Int32
        var count = 0
        var shallow: UInt64 = 0
        var retained: UInt64 = 0
        var stacks: [StackID: UInt64] = [:]

        /// That made the most bytes.
        var largestStack: StackID {
            stacks.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key ?? .none
        }
    }

    /// The most retained bytes first.
    private func typeRows() -> [TypeTotals] {
        var rows: [TypeTotals] = (0..<names.count).map { TypeTotals(name: Int32($0)) }
        let isTopmost = topmostOfTheirNames()
        for node in tree.preorder.dropFirst() {
            let (name, size) = (Int(names.number(node)), heap.sizes[Int(node)])
            rows[name].count += 1
            rows[name].shallow &+= size
            rows[name].stacks[heap.stacks[Int(node)], default: 0] &+= size
            if isTopmost[Int(node)] { rows[name].retained &+= retained[Int(node)] }
        }
        return rows.filter { $0.count > 0 }.sorted {
            ($0.retained, $0.shallow, names.text($1.name)) > ($1.retained, $1.shallow, names.text($0.name))
        }
    }

    /// All types, in any order.
    func typeTotals() -> [(type: String, count: Int, retained: UInt64)] {
        typeRows().map { (names.text($0.name), $0.count, $0.retained) }
    }

    /// By block: no object of its own name retains it. A walk over the tree that counts the names on the path.
    private func topmostOfTheirNames() -> [Bool] {
        let children = ownership.children
        var result = [Bool](repeating: false, count: heap.count + 1)
        var open = [Int32: Int]()
        var stack: [(node: UInt32, next: Int)] = [(graph.entry, 0)]
        while let (node, next) = stack.last {
            let below = children[node]
            if next < below.count {
                stack[stack.count - 1].next += 1
                let child = below[below.startIndex + next]
                let name = names.number(child)
                result[Int(child)] = open[name, default: 0] == 0
                open[name, default: 0] += 1
                stack.append((child, 0))
            } else {
                stack.removeLast()
                if node != graph.entry { open[names.number(node), default: 1] -= 1 }
            }
        }
        return result
    }

    // MARK: - Holders

    private func hasRow(_ node: UInt32) -> Bool {
        !names.isBuffer(node) || owner[Int(node)] == graph.entry || collections.contains(node)
    }

    private func holders() -> [Report.LiveHeap.Holder] {
        var below: [UInt32: [UInt32]] = [:]
        for node in tree.preorder.dropFirst() where hasRow(node) {
            below[owner[Int(node)], default: []].append(node)
        }
        return rows(of: [graph.entry], below, depth: 0).rows
    }

    /// Objects of one type, and what holds them; absent: a root, or several objects.
    struct HolderKey: Hashable {
        var holder: String?
        var field: String?
        var type: String
    }

    /// All objects that are no buffers, by what holds them.
    func holderTotals() -> [HolderKey: (count: Int, retained: UInt64)] {
        struct Numbers: Hashable {
            var holder: Int32
            var field: String?
            var type: Int32
        }
        var totals: [Numbers: (count: Int, retained: UInt64)] = [:]
        for node in tree.preorder.dropFirst() where !names.isBuffer(node) || owner[Int(node)] == graph.entry {
            // Whether a collection has a row differs between the snapshots that are compared.
            var (above, link) = (owner[Int(node)], node)
            if collections.contains(above) { (above, link) = (owner[Int(above)], above) }
            let key = Numbers(
                holder: above == graph.entry ? -1 : names.number(above), field: field(of: link),
                type: names.number(node))
            let sum = totals[key] ?? (0, 0)
            totals[key] = (sum.count + 1, sum.retained &+ retained[Int(node)])
        }
        var result: [HolderKey: (count: Int, retained: UInt64)] = [:]
        for (key, sum) in totals {
            let holder = key.holder < 0 ? nil : names.text(key.holder)
            result[HolderKey(holder: holder, field: key.field, type: names.text(key.type))] = sum
        }
        return result
    }

    /// What names all of the topmost blocks; nil where that is not one root.
    private func root(of blocks: [UInt32]) -> String? {
        guard let block = blocks.first, blocks.count == 1, let root = ownership.roots[block] else { return nil }
        return rootNames.root(root).name
    }

    private struct RowKey: Hashable {
        var name: Int32
        var field: String?
    }

    private func rows(
        of nodes: [UInt32], _ below: [UInt32: [UInt32]], depth: Int
    ) -> (rows: [Report.LiveHeap.Holder], omitted: Int) {
        var groups: [RowKey: [UInt32]] = [:]
        for node in nodes {
            for child in below[node] ?? [] {
                groups[RowKey(name: names.number(child), field: field(of: child)), default: []].append(child)
            }
        }
        let sorted = groups.map { key, members in
            (key, members, members.reduce(0) { $0 &+ retained[Int($1)] })
        }.sorted { ($0.2, names.text($1.0.name), $1.0.field ?? "") > ($1.2, names.text($0.0.name), $0.0.field ?? "") }
        let rows = sorted.prefix(Self.childLimit).map { key, members, bytes in
            var row = Report.LiveHeap.Holder(
                type: names.text(key.name), count: members.count,
                ownBytes: members.reduce(0) { $0 &+ own[Int($1)] }, retainedBytes: bytes)
            row.field = key.field
            if depth == 0 { row.root = root(of: members) }
            if depth < Self.depthLimit, bytes > row.ownBytes {
                (row.children, row.omitted) = self.rows(of: members, below, depth: depth + 1)
            }
            return row
        }
        return (Array(rows), sorted.count - rows.count)
    }

    /// How the node's owner refers to it: the first step of the way down to it; nil where its dominator does not refer to
    /// it, since several of what it holds do.
    private func field(of node: UInt32) -> String? {
        let holder = owner[Int(node)]
        guard holder != graph.entry else { return nil }
        return label(from: holder, to: top[Int(node)])
    }

    private func label(from node: UInt32, to target: UInt32) -> String? {
        for position in graph.rows[Int(node)]..<graph.rows[Int(node) + 1] where graph.targets[position] == target {
            let label = heap.labels[Int(heap.labelNumbers[graph.edges[position]])]
            return label.path.isEmpty ? nil : FieldName.clean(label.path)
        }
        return nil
    }
}

/// What each node of a tree dominates directly.
struct TreeChildren {
    private var rows: [Int]
    private var items: [UInt32]

    init(_ tree: DominatorTree, entry: UInt32) {
        rows = [Int](repeating: 0, count: tree.parent.count + 2)
        for node in tree.preorder.dropFirst() { rows[Int(tree.parent[Int(node)]) + 2] += 1 }
        for i in 2..<rows.count { rows[i] += rows[i - 1] }
        items = [UInt32](repeating: 0, count: rows[rows.count - 1])
        for node in tree.preorder.dropFirst() {
            let row = Int(tree.parent[Int(node)]) + 1
            items[rows[row]] = node
            rows[row] += 1
        }
        rows.removeLast()
    }

    subscript(_ node: UInt32) -> ArraySlice<UInt32> { items[rows[Int(node)]..<rows[Int(node) + 1]] }
}
