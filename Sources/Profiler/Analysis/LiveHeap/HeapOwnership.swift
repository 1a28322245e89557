import GameprofBasics
import GameprofTrace

/// Who keeps whom in a heap: what every analysis of it works with. Linear in blocks and references.
final class HeapOwnership {
    let heap: LiveHeap
    let graph: HeldGraph
    let tree: DominatorTree
    let names: LiveHeapNames
    /// By block, in bytes: with all that would be freed with it.
    let retained: RetainedBytes
    /// The roots by the block that each names.
    let roots: [UInt32: HeapRoot]
    /// By block: number of the label by which its dominator refers to it first; `unnamed`: a root names it, or no single block.
    let labels: [UInt16]
    static let unnamed = UInt16.max
    /// Made when it is first needed: 4 bytes for each reference.
    private(set) lazy var incoming = IncomingReferences(graph)
    /// Made when they are first needed.
    private(set) lazy var perhapsAbandoned = AbandonedObjects.candidates(self)
    private let isPrepared: Bool

    /// - Parameter seeksHolders: there will be findings that ask who holds what. For a large heap, what they need is made beside
    ///   other work then.
    init(_ heap: LiveHeap, types: TypeTable, seeksHolders: Bool = false) {
        self.heap = heap
        isPrepared = seeksHolders && isShared(blocks: heap.count)
        let graph = HeldGraph(heap)
        self.graph = graph
        var incoming: IncomingReferences?
        if isPrepared {
            (tree, incoming) = sideBySide({ DominatorTree(graph) }, { IncomingReferences(graph) })
        } else {
            tree = DominatorTree(graph)
        }
        names = LiveHeapNames(heap, types: types)
        retained = tree.retained(heap.sizes)
        roots = Dictionary(heap.roots.map { (UInt32($0.object.index - 1), $0) }) { first, _ in first }
        labels = Self.labels(of: heap, graph, tree.parent)
        if let incoming { self.incoming = incoming }
    }

    private static func labels(of heap: LiveHeap, _ graph: HeldGraph, _ parents: [UInt32]) -> [UInt16] {
        [UInt16](large: heap.count) { labels in
            labels.initialize(repeating: unnamed, count: heap.count)
            parents.withUnsafeBufferPointer { parents in
                graph.withEdges { edges in
                    edges.visit(ahead: parents.fetch) { source, reference, target in
                        guard parents[target] == UInt32(source), source < edges.entry, labels[target] == unnamed
                        else { return }
                        labels[target] = heap.label(of: reference)
                    }
                }
            }
        }
    }

    /// Runs `body`, which must not ask for what is made when it is first needed. Meanwhile this is made, if findings seek holders in
    /// a large heap.
    func prepared<Result>(while body: () -> Result) -> Result {
        isPrepared ? sideBySide(body) { _ = perhapsAbandoned }.0 : body()
    }

    /// The node that stands for all roots.
    var entry: UInt32 { graph.entry }

    /// Blocks that a root reaches.
    var living: ArraySlice<UInt32> { tree.preorder.dropFirst() }

    func isLiving(_ block: UInt32) -> Bool { tree.parent[Int(block)] != DominatorTree.none }

    /// How a reference of the graph is called; nil: it is a root's.
    func label(_ reference: Int) -> HeapLabelRecord? {
        reference < heap.targets.count ? heap.labels[Int(heap.label(of: reference))] : nil
    }

    /// Visits those of the blocks that a root reaches, and all that they retain, each once.
    func forEachRetained(by blocks: some Sequence<UInt32>, _ body: (UInt32) -> Void) {
        // By place in the tree. A block that was visited came with all that it retains.
        var visited = BitSet(count: tree.preorder.count)
        for block in blocks where isLiving(block) {
            let range = tree.range(of: block)
            var place = range.lowerBound
            while place <= range.upperBound {
                let node = tree.preorder[Int(place)]
                if visited.insert(Int(place)) {
                    body(node)
                    place += 1
                } else {
                    place = tree.lastPlace(at: place) + 1
                }
            }
        }
    }
}

/// The references that lead to each block of a graph: four bytes for each. Whose a reference is, is looked up.
struct IncomingReferences {
    private let graph: HeldGraph
    /// Their positions in the graph, those to one block together.
    private let references: [UInt32]
    /// By block: where its references begin.
    private let rows: [UInt32]

    init(_ graph: HeldGraph) {
        self.graph = graph
        (references, rows) = graph.withEdges(Self.columns)
    }

    private static func columns(_ edges: HeldEdges) -> (references: [UInt32], rows: [UInt32]) {
        // Two places behind the block's number first, one behind it while they are filled in.
        let rows = LargeColumn<UInt32>(repeating: 0, count: edges.entry + 3)
        defer { rows.deallocate() }
        edges.visit(ahead: rows.fetch) { _, _, target in rows[target + 2] += 1 }
        for i in 2..<rows.count { rows[i] += rows[i - 1] }
        let references = [UInt32](large: Int(rows[rows.count - 1])) { references in
            edges.visit(ahead: rows.fetch) { _, reference, target in
                references[Int(rows[target + 1])] = UInt32(reference)
                rows[target + 1] += 1
            }
        }
        return (
            references, [UInt32](large: edges.entry + 2) { $0.initialize(from: rows.elements, count: edges.entry + 2) }
        )
    }

    /// What refers to the block, each with the position of its reference in the graph. O(log blocks) for each.
    subscript(_ block: UInt32) -> some Sequence<(source: UInt32, reference: Int)> {
        references[Int(rows[Int(block)])..<Int(rows[Int(block) + 1])].lazy.map {
            (graph.source(of: Int($0)), Int($0))
        }
    }
}
