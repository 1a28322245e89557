import Testing

@testable import GameprofAnalyses

@Suite struct DominatorTreeTests {
    /// A graph of which node 0 is the entry.
    private struct Graph {
        var successors: [[UInt32]]

        init(_ successors: [[UInt32]]) { self.successors = successors }

        init(nodes: Int, edges: Int, _ random: inout SplitMix) {
            successors = Array(repeating: [], count: nodes)
            for _ in 0..<edges {
                successors[Int.random(in: 0..<nodes, using: &random)].append(
                    UInt32.random(in: 0..<UInt32(nodes), using: &random))
            }
        }

        var tree: DominatorTree {
            var rows = [0]
            for row in successors { rows.append(rows[rows.count - 1] + row.count) }
            return DominatorTree(rows: rows, targets: successors.flatMap { $0 }, entry: 0)
        }

        func reached(without removed: Int? = nil) -> Set<Int> {
            guard removed != 0 else { return [] }
            var reached: Set = [0]
            var next = [0]
            while let node = next.popLast() {
                for target in successors[node] where Int(target) != removed && reached.insert(Int(target)).inserted {
                    next.append(Int(target))
                }
            }
            return reached
        }

        /// By removal: d dominates n when nothing reaches n without d.
        var dominatorsByRemoval: [Set<Int>] {
            let all = reached()
            var result = [Set<Int>](repeating: [], count: successors.count)
            for removed in all {
                for node in all.subtracting(reached(without: removed)) where node != removed {
                    result[node].insert(removed)
                }
            }
            return result
        }

        /// By iteration: what dominates all predecessors, and the node itself.
        var dominatorsByIteration: [Set<Int>] {
            let all = reached()
            var result = [Set<Int>](repeating: all, count: successors.count)
            result[0] = [0]
            var changed = true
            while changed {
                changed = false
                for node in all where node != 0 {
                    let predecessors = all.filter { successors[$0].contains(UInt32(node)) }
                    let common = predecessors.reduce(all) { $0.intersection(result[$1]) }.union([node])
                    changed = changed || common != result[node]
                    result[node] = common
                }
            }
            return result.enumerated().map { all.contains($0) ? $1.subtracting([$0]) : [] }
        }
    }

    @Test("dominators of seeded random graphs are those of two slow implementations")
    func randomGraphs() {
        var random = SplitMix(state: 20)
        for _ in 0..<1500 {
            let nodes = Int.random(in: 1...12, using: &random)
            let graph = Graph(nodes: nodes, edges: Int.random(in: 0...(3 * nodes), using: &random), &random)
            let tree = graph.tree
            let expected = graph.dominatorsByRemoval
            #expect(graph.dominatorsByIteration == expected)
            for node in 0..<nodes {
                let nearest = expected[node].max { expected[$0].count < expected[$1].count }
                #expect(tree.parent[node] == (nearest.map { UInt32($0) } ?? DominatorTree.none), "\(graph.successors)")
            }
        }
    }

    @Test("retained bytes are those of all nodes that only the node leads to")
    func retained() {
        var random = SplitMix(state: 3)
        for _ in 0..<300 {
            let nodes = Int.random(in: 1...10, using: &random)
            let graph = Graph(nodes: nodes, edges: Int.random(in: 0...(3 * nodes), using: &random), &random)
            let weights = (0..<nodes).map { _ in UInt64.random(in: 1...100, using: &random) }
            let retained = graph.tree.retained(weights)
            let all = graph.reached()
            for node in 0..<nodes {
                let freed = all.contains(node) ? all.subtracting(graph.reached(without: node)) : []
                #expect(retained[node] == freed.reduce(0) { $0 + weights[$1] })
            }
        }
    }

    @Test("a list of 200,000 nodes needs no recursion")
    func list() {
        let count: UInt32 = 200_000
        let tree = DominatorTree(
            rows: Array(0...Int(count) - 1) + [Int(count) - 1], targets: Array(1..<count), entry: 0)
        #expect(tree.parent.dropFirst().enumerated().allSatisfy { $0.offset == Int($0.element) })
    }
}
