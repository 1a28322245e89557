import GameprofRecording
import GameprofTraceFile

/// Who keeps whom in a heap: what every analysis of it works with. Linear in blocks and references.
struct HeapOwnership {
    let heap: LiveHeap
    let graph: HeldGraph
    let tree: DominatorTree
    let children: TreeChildren
    let names: LiveHeapNames
    /// By block, in bytes: with all that would be freed with it.
    let retained: [UInt64]
    /// The roots by the block that each names.
    let roots: [UInt32: HeapRoot]

    init(_ heap: LiveHeap, types: TypeTable) {
        self.heap = heap
        graph = HeldGraph(heap)
        tree = DominatorTree(rows: graph.rows, targets: graph.targets, entry: graph.entry)
        children = TreeChildren(tree)
        names = LiveHeapNames(heap, types: types)
        retained = tree.retained(heap.sizes + [0])
        roots = Dictionary(heap.roots.map { (UInt32($0.object.index - 1), $0) }) { first, _ in first }
    }

    /// The node that stands for all roots.
    var entry: UInt32 { graph.entry }

    /// Blocks that a root reaches.
    var living: ArraySlice<UInt32> { tree.preorder.dropFirst() }

    /// How a reference of the graph is called; nil: it is a root's.
    func label(_ reference: Int) -> HeapLabelRecord? {
        let edge = graph.edges[reference]
        return edge < 0 ? nil : heap.labels[Int(heap.labelNumbers[edge])]
    }

    /// Visits the blocks and all that they retain, each once.
    func forEachRetained(by blocks: [UInt32], _ body: (UInt32) -> Void) {
        let seen = Set(blocks)
        var open = blocks
        while let next = open.popLast() {
            body(next)
            open += children[next].filter { !seen.contains($0) }
        }
    }
}

/// The references that lead to each block of a graph.
struct IncomingReferences {
    /// Sources and positions of the references, those to one block together.
    private let sources: [UInt32]
    private let references: [Int]
    private let rows: [Int]

    init(_ graph: HeldGraph) {
        var rows = [Int](repeating: 0, count: graph.rows.count + 1)
        for target in graph.targets { rows[Int(target) + 2] += 1 }
        for i in 2..<rows.count { rows[i] += rows[i - 1] }
        var sources = [UInt32](repeating: 0, count: graph.targets.count)
        var references = [Int](repeating: 0, count: graph.targets.count)
        for source in 0..<graph.rows.count - 1 {
            for reference in graph.rows[source]..<graph.rows[source + 1] {
                let row = Int(graph.targets[reference]) + 1
                sources[rows[row]] = UInt32(source)
                references[rows[row]] = reference
                rows[row] += 1
            }
        }
        rows.removeLast()
        (self.sources, self.references, self.rows) = (sources, references, rows)
    }

    /// What refers to the block, each with the position of its reference in the graph.
    subscript(_ block: UInt32) -> some Sequence<(source: UInt32, reference: Int)> {
        (rows[Int(block)]..<rows[Int(block) + 1]).lazy.map { (source: sources[$0], reference: references[$0]) }
    }
}

/// Answers in constant time whether one node of a dominator tree dominates another.
struct DominatorIntervals {
    private var enter: [UInt32]
    private var leave: [UInt32]

    init(_ ownership: HeapOwnership) {
        enter = [UInt32](repeating: 0, count: ownership.tree.parent.count)
        leave = enter
        var clock: UInt32 = 0
        var stack: [(node: UInt32, next: Int)] = [(ownership.entry, 0)]
        while let (node, next) = stack.last {
            if next == 0 {
                clock += 1
                enter[Int(node)] = clock
            }
            let below = ownership.children[node]
            if next < below.count {
                stack[stack.count - 1].next += 1
                stack.append((below[below.startIndex + next], 0))
            } else {
                stack.removeLast()
                leave[Int(node)] = clock
            }
        }
    }

    /// Nodes in the order of the tree: those that a node dominates stand behind it, together.
    func position(of node: UInt32) -> UInt32 { enter[Int(node)] }

    /// Positions of the node and of all that it dominates.
    func range(of node: UInt32) -> ClosedRange<UInt32> { enter[Int(node)]...leave[Int(node)] }

    /// A node dominates itself.
    func dominates(_ node: UInt32, _ other: UInt32) -> Bool {
        enter[Int(node)] <= enter[Int(other)] && leave[Int(other)] <= leave[Int(node)]
    }
}
