import GameprofBasics
import Testing

@testable import GameprofAnalysis

@Suite struct DominatorTreeTests {
    /// A graph of which the entry refers to node 0.
    private struct Graph {
        let successors: [[UInt32]]
        var entry: UInt32 { UInt32(successors.count) }

        init(_ successors: [[UInt32]]) { self.successors = successors }

        init(nodes: Int, edges: Int, _ random: inout SplitMix) {
            var successors = [[UInt32]](repeating: [], count: nodes)
            for _ in 0..<edges {
                successors[Int.random(in: 0..<nodes, using: &random)].append(
                    UInt32.random(in: 0..<UInt32(nodes), using: &random))
            }
            self.init(successors)
        }

        /// Behind each reference stands one that does not hold.
        var tree: DominatorTree {
            let rows = successors.reduce(into: [UInt32(0)]) { $0.append($0[$0.count - 1] + 2 * UInt32($1.count)) }
            let targets: [UInt32] = successors.joined().flatMap { target -> [UInt32] in [target, 0] }
            var held = BitSet(count: targets.count + 1)
            for reference in 0...targets.count where reference % 2 == 0 { held.insert(reference) }
            return rows.withUnsafeBufferPointer { rows in
                targets.withUnsafeBufferPointer { targets in
                    [UInt32(0)].withUnsafeBufferPointer { rooted in
                        held.withWords {
                            DominatorTree(HeldEdges(rows: rows, targets: targets, rooted: rooted, held: $0))
                        }
                    }
                }
            }
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
                let isReached = !expected[node].isEmpty || node == 0
                #expect(
                    tree.parent[node] == (nearest.map { UInt32($0) } ?? (isReached ? graph.entry : DominatorTree.none)),
                    "\(graph.successors)")
                for other in 0..<nodes where !expected[other].isEmpty || other == 0 {
                    let dominates = expected[other].contains(node) || other == node
                    #expect(tree.dominates(UInt32(node), UInt32(other)) == dominates)
                }
                let children = (0..<nodes).filter { tree.parent[$0] == UInt32(node) }
                #expect(
                    tree.parent[node] == DominatorTree.none && node > 0
                        || tree.children(of: UInt32(node)).sorted() == children.map { UInt32($0) })
            }
        }
    }

    @Test("long ways are compressed as short ones")
    func largeGraphs() {
        var random = SplitMix(state: 7)
        for edges in [250, 400, 900, 2_000] {
            let graph = Graph(nodes: 300, edges: edges, &random)
            let (tree, expected) = (graph.tree, graph.dominatorsByRemoval)
            for node in 0..<300 where !expected[node].isEmpty {
                let nearest = expected[node].max { expected[$0].count < expected[$1].count }
                #expect(tree.parent[node] == nearest.map { UInt32($0) })
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

    @Test("a node to which many refer is dominated by what all of them have in common")
    func popular() {
        // Each but the last refers to the next one and to the last, in the opposite order.
        let count = 1_000
        let tree = Graph((0..<count).map { $0 < count - 2 ? [UInt32(count) - 1, UInt32($0) + 1] : [] }).tree
        #expect(tree.parent[count - 1] == 0)
        // All refer to the last, which comes first.
        let fan = Graph([[1] + (2..<UInt32(count)).map { $0 }] + [[]] + (2..<count).map { _ in [1] }).tree
        #expect(fan.parent[0..<count].dropFirst().allSatisfy { $0 == 0 })
        #expect(fan.range(of: 0) == 1...UInt32(count) && fan.dominates(0, 1) && !fan.dominates(2, 1))
    }

    @Test("sums are those of single nodes, however many a node dominates")
    func sizes() {
        var random = SplitMix(state: 12)
        for edges in [200, 2_000, 6_000] {
            // Trees: each node's references are to nodes behind it, and each node has one that refers to it.
            var successors = [[UInt32]](repeating: [], count: edges)
            for node in 1..<edges {
                successors[Int.random(in: max(0, node - 40)..<node, using: &random)].append(UInt32(node))
            }
            var sums = [UInt64](repeating: 1, count: edges)
            for node in (0..<edges).reversed() { for below in successors[node] { sums[node] += sums[Int(below)] } }
            let tree = Graph(successors).tree
            let retained = tree.retained([UInt64](repeating: 1, count: edges))
            #expect((0..<edges).allSatisfy { retained[$0] == sums[$0] })
            #expect((0..<edges).allSatisfy { tree.range(of: UInt32($0)).count == Int(sums[$0]) })
        }
    }

    @Test("a list of 200,000 nodes needs no recursion")
    func list() {
        let tree = Graph((1..<200_000).map { [$0] } + [[]]).tree
        #expect(tree.parent[1..<200_000].enumerated().allSatisfy { $0.offset == Int($0.element) })
    }
}
