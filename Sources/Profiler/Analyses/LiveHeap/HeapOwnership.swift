import GameprofRecording
import GameprofTraceFile

/// Who keeps whom in a heap: what every analysis of it works with. Linear in blocks and references.
struct HeapOwnership {
    let heap: LiveHeap
    let graph: HeldGraph
    let tree: DominatorTree
    let names: LiveHeapNames
    /// By block, in bytes: with all that would be freed with it.
    let retained: [UInt64]
    /// The roots by the block that each names.
    let roots: [UInt32: HeapRoot]

    init(_ heap: LiveHeap, types: TypeTable) {
        self.heap = heap
        graph = HeldGraph(heap)
        tree = DominatorTree(graph)
        names = LiveHeapNames(heap, types: types)
        retained = tree.retained(heap.sizes)
        roots = Dictionary(heap.roots.map { (UInt32($0.object.index - 1), $0) }) { first, _ in first }
    }

    /// The node that stands for all roots.
    var entry: UInt32 { graph.entry }

    /// Blocks that a root reaches.
    var living: ArraySlice<UInt32> { tree.preorder.dropFirst() }

    /// How a reference of the graph is called; nil: it is a root's.
    func label(_ reference: Int) -> HeapLabelRecord? {
        reference < heap.targets.count ? heap.labels[Int(heap.labelNumbers[reference])] : nil
    }

    /// Visits those of the blocks that a root reaches, and all that they retain, each once.
    func forEachRetained(by blocks: [UInt32], _ body: (UInt32) -> Void) {
        var next: UInt32 = 0
        let ranges = blocks.map(tree.range).filter { $0.upperBound != DominatorTree.none }
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            for place in max(next, range.lowerBound)..<max(next, range.upperBound + 1) {
                body(tree.preorder[Int(place)])
            }
            next = max(next, range.upperBound + 1)
        }
    }
}

/// The references that lead to each block of a graph.
struct IncomingReferences {
    /// Sources and positions of the references, those to one block together.
    private let sources: [UInt32]
    private let references: [UInt32]
    private let rows: [UInt32]

    init(_ graph: HeldGraph) {
        var rows = [UInt32](repeating: 0, count: graph.nodes + 2)
        graph.visitAll { _, _, target in rows[Int(target) + 2] += 1 }
        for i in 2..<rows.count { rows[i] += rows[i - 1] }
        var sources = [UInt32](repeating: 0, count: Int(rows[rows.count - 1]))
        var references = sources
        graph.visitAll { source, reference, target in
            let row = Int(target) + 1
            sources[Int(rows[row])] = source
            references[Int(rows[row])] = UInt32(reference)
            rows[row] += 1
        }
        rows.removeLast()
        (self.sources, self.references, self.rows) = (sources, references, rows)
    }

    /// What refers to the block, each with the position of its reference in the graph.
    subscript(_ block: UInt32) -> some Sequence<(source: UInt32, reference: Int)> {
        (rows[Int(block)]..<rows[Int(block) + 1]).lazy.map { (sources[Int($0)], Int(references[Int($0)])) }
    }
}
