/// Vertices that are numbered from 0 on, and references between them in slots, those of each vertex one behind the other.
package protocol SlottedGraph {
    var vertexCount: Int { get }
    func slots(of vertex: Int) -> Range<Int>
    /// The vertex that a reference of `vertex` names.
    func target(_ slot: Int, of vertex: Int) -> Int
}

/// Some vertices of a graph, and the references between them. Any other vertex has none; one that leads there leads back.
package struct PartOfGraph<Whole: SlottedGraph>: SlottedGraph {
    @usableFromInline let whole: Whole
    @usableFromInline let members: BitSet

    package init(_ whole: Whole, _ members: BitSet) { (self.whole, self.members) = (whole, members) }

    @inlinable package var vertexCount: Int { whole.vertexCount }

    @inlinable package func slots(of vertex: Int) -> Range<Int> {
        members.contains(vertex) ? whole.slots(of: vertex) : 0..<0
    }

    @inlinable package func target(_ slot: Int, of vertex: Int) -> Int {
        let target = whole.target(slot, of: vertex)
        return members.contains(target) ? target : vertex
    }
}

/// The strongly connected components of a graph: two objects are in one component when each holds the other.
package struct Components: Sendable {
    /// The component of each vertex. A component's number is smaller than that of every component that refers to it.
    package let of: [Int32]
    package let count: Int

    /// Tarjan's algorithm with its own stack, so a chain of a million objects does not overflow the thread's.
    @inlinable
    package init(_ graph: some SlottedGraph) {
        let size = graph.vertexCount
        var component = [Int32](repeating: -1, count: size)
        var order = [Int32](repeating: -1, count: size)
        var low = [Int32](repeating: 0, count: size)
        var open: [Int32] = []
        var path: [(vertex: Int, slot: Int)] = []
        var clock: Int32 = 0
        var found: Int32 = 0

        for start in 0..<size where order[start] < 0 {
            path.append((start, graph.slots(of: start).lowerBound))
            order[start] = clock
            low[start] = clock
            clock += 1
            open.append(Int32(start))
            while let (vertex, slot) = path.last {
                if slot < graph.slots(of: vertex).upperBound {
                    path[path.count - 1].slot += 1
                    let target = graph.target(slot, of: vertex)
                    if order[target] < 0 {
                        order[target] = clock
                        low[target] = clock
                        clock += 1
                        open.append(Int32(target))
                        path.append((target, graph.slots(of: target).lowerBound))
                    } else if component[target] < 0 {
                        low[vertex] = min(low[vertex], order[target])
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.vertex { low[parent] = min(low[parent], low[vertex]) }
                guard low[vertex] == order[vertex] else { continue }
                while let member = open.popLast() {
                    component[Int(member)] = found
                    if Int(member) == vertex { break }
                }
                found += 1
            }
        }
        of = component
        count = Int(found)
    }

    /// The members of each component in ascending order. Linear; one array for all.
    package func members() -> [ArraySlice<Int32>] {
        var starts = [Int](repeating: 0, count: count + 1)
        for component in of { starts[Int(component) + 1] += 1 }
        for component in 0..<count { starts[component + 1] += starts[component] }
        var next = starts
        var sorted = [Int32](repeating: 0, count: of.count)
        for (vertex, component) in of.enumerated() {
            sorted[next[Int(component)]] = Int32(vertex)
            next[Int(component)] += 1
        }
        return (0..<count).map { sorted[starts[$0]..<starts[$0 + 1]] }
    }
}
