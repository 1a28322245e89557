import GameprofBasics

/// Chooses the one cycle of a component that explains it: short, through its most suspicious reference, and the same
/// for equal shapes wherever they lie in memory.
struct CycleSelection {
    let graph: HeapGraph
    let strong: Adjacency
    let components: Components
    let colours: ColorRefinement
    let weight: EdgeWeight

    /// How many different references of the highest weight are tried.
    private static let candidateLimit = 8

    private var cameBy: [Int32]
    private var visited: [Int32]
    private var round: Int32 = 0

    init(
        graph: HeapGraph, strong: Adjacency, components: Components, colours: ColorRefinement, weight: EdgeWeight
    ) {
        self.graph = graph
        self.strong = strong
        self.components = components
        self.colours = colours
        self.weight = weight
        cameBy = [Int32](repeating: -1, count: graph.objects.count)
        visited = [Int32](repeating: 0, count: graph.objects.count)
    }

    /// The references of the chosen cycle in order, the most suspicious one last. Linear in the component.
    mutating func cycle(in members: [Int32]) -> [Int32] {
        var best: [Int32] = []
        for edge in candidates(members) {
            guard let path = shortestPath(closing: edge), !path.isEmpty else { continue }
            if best.isEmpty || (path.count, key(path)) < (best.count, key(best)) { best = path }
        }
        return best
    }

    private func key(_ path: [Int32]) -> UInt64 {
        path.reduce(0) { StableHash.mix($0 &+ colours.edgeKey[Int($1)]) }
    }

    private func candidates(_ members: [Int32]) -> [Int32] {
        var top = Int.min
        var byKey: [UInt64: Int32] = [:]
        for vertex in members {
            for slot in strong.slots(of: Int(vertex))
            where components.of[Int(strong.targets[slot])] == components.of[Int(vertex)] {
                let edge = strong.edges[slot]
                let weight = weight(of: graph.edges[Int(edge)])
                if weight < top { continue }
                if weight > top {
                    top = weight
                    byKey.removeAll(keepingCapacity: true)
                }
                let key = colours.edgeKey[Int(edge)]
                if let other = byKey[key], shape(other) <= shape(edge) { continue }
                byKey[key] = edge
            }
        }
        return byKey.sorted { $0.key < $1.key }.prefix(Self.candidateLimit).map(\.value)
    }

    private func shape(_ edge: Int32) -> UInt64 {
        let edge = graph.edges[Int(edge)]
        return StableHash.mix(colours.colour[Int(edge.from)]) ^ colours.colour[Int(edge.to)]
    }

    /// Breadth first from the target of `edge` back to its source, inside the component.
    private mutating func shortestPath(closing edge: Int32) -> [Int32]? {
        let start = graph.edges[Int(edge)].to
        let goal = graph.edges[Int(edge)].from
        if start == goal { return [edge] }
        round += 1
        visited[Int(start)] = round
        var frontier = [start]
        while !frontier.isEmpty {
            var next: [Int32] = []
            for vertex in frontier {
                for slot in orderedSlots(of: Int(vertex)) {
                    let target = strong.targets[slot]
                    guard visited[Int(target)] != round,
                        components.of[Int(target)] == components.of[Int(goal)]
                    else { continue }
                    visited[Int(target)] = round
                    cameBy[Int(target)] = strong.edges[slot]
                    if target == goal { return path(from: start, to: goal) + [edge] }
                    next.append(target)
                }
            }
            frontier = next
        }
        return nil
    }

    private func orderedSlots(of vertex: Int) -> [Int] {
        let slots = strong.slots(of: vertex)
        guard slots.count > 1 else { return Array(slots) }
        let keyed = slots.map { slot in
            (slot, colours.edgeKey[Int(strong.edges[slot])] &+ colours.colour[Int(strong.targets[slot])])
        }
        return keyed.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
    }

    private func path(from start: Int32, to goal: Int32) -> [Int32] {
        var result: [Int32] = []
        var vertex = goal
        while vertex != start {
            let edge = cameBy[Int(vertex)]
            result.append(edge)
            vertex = graph.edges[Int(edge)].from
        }
        return result.reversed()
    }
}
