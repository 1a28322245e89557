import GameprofBasics
import GameprofTrace

/// Gives each object a number that depends on the shape around it and not on its address, so that choices among equal
/// candidates fall alike in ten thousand copies of the same defect.
struct ColorRefinement: Sendable {
    private(set) var colour: [UInt64]
    /// What is visible of each reference by itself: ends, field, closure.
    let edgeKey: [UInt64]

    /// `rounds`: how many references far a colour sees. Linear in the references, per round.
    init(graph: HeapGraph, roles: ObjectRoles, strong: Adjacency, names: FunctionNames, rounds: Int = 3) {
        var typeHash: [UInt64?] = Array(repeating: nil, count: graph.types.count)
        colour = graph.objects.indices.map { position in
            let role = roles[Int32(position)]
            let type = graph.objects[position].type.index
            if role == .closure || role == .box { return StableHash.of(roles.typeName(Int32(position))) }
            if let known = typeHash[type] { return known }
            let hash = StableHash.of(roles.typeName(Int32(position)))
            typeHash[type] = hash
            return hash
        }
        let labelHash = graph.labels.map(StableHash.of)
        let base = colour
        edgeKey = graph.edges.map { edge in
            var hash = StableHash()
            hash.combine(base[Int(edge.from)])
            hash.combine(edge.kind == .key ? 0 : labelHash[Int(edge.label)])
            hash.combine(UInt64(edge.kind.rawValue))
            hash.combine(names.hash(of: edge.function))
            hash.combine(base[Int(edge.to)])
            return hash.value
        }
        for _ in 0..<rounds {
            var next = colour
            for vertex in 0..<strong.vertexCount {
                for slot in strong.slots(of: vertex) {
                    let target = Int(strong.targets[slot])
                    let key = edgeKey[Int(strong.edges[slot])]
                    // Sums do not depend on the order of the references.
                    next[vertex] &+= StableHash.mix(key &+ StableHash.mix(colour[target]))
                    next[target] &+= StableHash.mix(~key &+ StableHash.mix(colour[vertex]))
                }
            }
            colour = next
        }
    }
}
