import GameprofBasics

/// How the user's objects of a component hold each other, besides on the cycle that is drawn.
struct Knot {
    /// References that are looked at, and those that are shown.
    private static let (searched, shown) = (1_000_000, 8)
    /// References of a way; through more of a library's objects nobody follows it.
    private static let longest = 16

    let paths: PathBuilder
    let strong: Adjacency
    let components: Components

    private var graph: HeapGraph { paths.graph }

    /// The references that are not drawn, each declaration's once, in an order that no address decides. Linear in the members and
    /// their references, within a bound.
    func references(of findings: [HeapFinding], besides drawn: [PathStep]) -> [PathStep] {
        let known = Set(drawn.map(\.defect))
        var steps: [String: PathStep] = [:]
        var (seen, left): (Set<UInt64>, Int) = ([], Self.searched)
        for member in findings.lazy.flatMap(\.members) where paths.roles[member] == .user && left > 0 {
            for way in ways(from: member, &seen, &left) {
                guard let step = paths.path(way).first, !known.contains(step.defect) else { continue }
                if let other = steps[step.defect], other.shape <= step.shape { continue }
                steps[step.defect] = step
            }
        }
        return steps.sorted { $0.key < $1.key }.prefix(Self.shown).map(\.value)
    }

    /// Ways to the next objects of the user's, those of one shape once.
    private func ways(from start: Int32, _ shapes: inout Set<UInt64>, _ left: inout Int) -> [[Int32]] {
        var ways: [[Int32]] = []
        var seen: Set<Int32> = [start]
        var queue: [(vertex: Int32, way: [Int32], shape: UInt64)] = [(start, [], 0)]
        var next = 0
        while next < queue.count, left > 0 {
            let (vertex, way, shape) = queue[next]
            next += 1
            for slot in strong.slots(of: Int(vertex)) {
                let target = strong.targets[slot]
                guard components.of[Int(target)] == components.of[Int(start)] else { continue }
                left -= 1
                let longer = self.shape(shape, graph.edges[Int(strong.edges[slot])])
                if paths.roles[target] == .user {
                    if shapes.insert(longer).inserted { ways.append(way + [strong.edges[slot]]) }
                } else if way.count < Self.longest, seen.insert(target).inserted {
                    queue.append((target, way + [strong.edges[slot]], longer))
                }
            }
        }
        return ways
    }

    private func shape(_ way: UInt64, _ edge: HeapGraph.Edge) -> UInt64 {
        var hash = StableHash()
        hash.combine(way)
        hash.combine(UInt64(graph.object(edge.from).type.rawValue) << 32 | UInt64(UInt32(bitPattern: edge.label)))
        hash.combine(UInt64(edge.kind.rawValue) << 32 | UInt64(graph.object(edge.to).type.rawValue))
        hash.combine(edge.function)
        return hash.value
    }
}
