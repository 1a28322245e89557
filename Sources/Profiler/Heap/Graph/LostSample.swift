import GameprofBasics
import GameprofTrace

/// Some of the lost blocks for all, where there are too many to list: whole losses, at least one for each type and stack that
/// begins one. What is lost in all is counted by type and stack, so that a report's counts are exact.
struct LostSample {
    /// In the first round a loss takes as much as there is for all of its type and stack, but not less than `leastOfOne`. In each
    /// round `roundFactor` times as many losses of a type and stack are taken as before. A cycle that was cut would look like a
    /// chain: one that was begun is taken as a whole, up to `most` blocks in all.
    private static let (size, most, leastOfOne, roundFactor) = (250_000, 1_000_000, 16, 8)

    /// All that is lost, by type and stack.
    let rows: [HeapCensusRecord]
    /// Numbers of the chosen blocks: each has a chosen owner, or begins a loss.
    private(set) var chosen: [Int] = []
    /// Chosen blocks that others own which are not chosen: their counts cannot be compared with the references that are listed.
    private(set) var ownedByOthers: [Int] = []

    private struct Key: Hashable {
        var type: TypeID
        var stack: StackID
    }

    /// The lost blocks and the references with which they own one another.
    private struct Owning: SlottedGraph {
        var rows: [UInt32] = [0]
        var targets: [UInt32] = []
        var vertexCount: Int { rows.count - 1 }
        func slots(of vertex: Int) -> Range<Int> { Int(rows[vertex])..<Int(rows[vertex + 1]) }
        func target(_ slot: Int, of vertex: Int) -> Int { Int(targets[slot]) }
    }

    /// - Parameter lost: numbers of blocks, ascending. About 50 bytes for each.
    init(_ graph: BlockGraph, _ lost: [Int], _ clone: FrozenClone?) {
        var (places, found): ([Key: Int], [HeapCensusRecord]) = ([:], [])
        var rowOf: [UInt32] = []
        for number in lost {
            let block = graph.blocks[number]
            let type = graph.type(of: block)
            let entry = clone?.entry(block)
            let key = Key(type: type?.id ?? .none, stack: entry?.stack ?? .none)
            let row = places[key] ?? found.count
            if row == found.count {
                places[key] = row
                found.append(HeapCensusRecord(type: key.type, stack: key.stack, count: 0, bytes: 0))
            }
            found[row].count += 1
            found[row].bytes &+= entry?.size ?? type?.requested(of: block.size) ?? block.size
            rowOf.append(UInt32(row))
        }
        rows = found
        let owning = Self.owning(graph, lost)
        choose(owning, Components(owning), rowOf)
        chosen = chosen.map { lost[$0] }
        ownedByOthers = ownedByOthers.map { lost[$0] }
    }

    private static func owning(_ graph: BlockGraph, _ lost: [Int]) -> Owning {
        var vertices = [UInt32](repeating: .max, count: graph.blocks.count)
        for (vertex, number) in lost.enumerated() { vertices[number] = UInt32(vertex) }
        var result = Owning()
        for number in lost {
            let block = graph.blocks[number]
            graph.forEachReference(of: block, graph.type(of: block)) { reference, target in
                guard vertices[target] != .max else { return }
                switch reference?.ownership ?? .conservative {
                case .strong, .conservative: result.targets.append(vertices[target])
                case .unmanaged where graph.type(of: graph.blocks[target]) == nil:
                    result.targets.append(vertices[target])
                case .unmanaged, .unowned, .weak: break
                }
            }
            result.rows.append(UInt32(result.targets.count))
        }
        return result
    }

    // MARK: - Choosing

    /// Vertices at which losses begin: nothing owns it, or it is the first of a cycle that nothing owns.
    private static func losses(_ graph: Owning, _ components: Components) -> [Int] {
        var isOwned = BitSet(count: components.count)
        for vertex in 0..<graph.vertexCount {
            for slot in graph.slots(of: vertex) {
                let component = components.of[graph.target(slot, of: vertex)]
                if component != components.of[vertex] { isOwned.insert(Int(component)) }
            }
        }
        var isBegun = BitSet(count: components.count)
        return (0..<graph.vertexCount).filter {
            let component = Int(components.of[$0])
            return !isOwned.contains(component) && isBegun.insert(component)
        }
    }

    private mutating func choose(_ graph: Owning, _ components: Components, _ rowOf: [UInt32]) {
        let losses = Self.losses(graph, components)
        var isChosen = BitSet(count: graph.vertexCount)
        var isEntered = BitSet(count: components.count)
        var sizes = [Int](repeating: 0, count: components.count)
        for component in components.of { sizes[Int(component)] += 1 }
        /// How many may be chosen so far: the sample, and the rest of each cycle that was begun.
        var room = Self.size

        func take(_ vertex: Int, _ limit: Int) {
            let component = Int(components.of[vertex])
            let isRest = sizes[component] > 1 && isEntered.contains(component)
            guard chosen.count < (isRest ? Self.most : limit), isChosen.insert(vertex) else { return }
            if chosen.count >= limit, room < Self.most { room += 1 }
            chosen.append(vertex)
            isEntered.insert(component)
        }

        var taken = [Int](repeating: 0, count: rows.count)
        var rowsWithLosses = Set<UInt32>()
        for loss in losses { rowsWithLosses.insert(rowOf[loss]) }
        var largest = max(Self.size / 2 / (rowsWithLosses.count + 1), Self.leastOfOne)
        var (limit, isLeft) = (1, true)
        while isLeft, chosen.count < room {
            isLeft = false
            for loss in losses where chosen.count < room && !isChosen.contains(loss) {
                let row = Int(rowOf[loss])
                guard taken[row] < limit else {
                    isLeft = true
                    continue
                }
                taken[row] += 1
                // In breadth: whatever is chosen has a chosen owner.
                var next = chosen.count
                let most = min(room, next + largest)
                take(loss, most)
                while next < chosen.count {
                    for slot in graph.slots(of: chosen[next]) { take(graph.target(slot, of: chosen[next]), most) }
                    next += 1
                }
            }
            (limit, largest) = (limit * Self.roundFactor, Self.size)
        }
        var isOwned = BitSet(count: graph.vertexCount)
        for vertex in 0..<graph.vertexCount where !isChosen.contains(vertex) {
            for slot in graph.slots(of: vertex) { isOwned.insert(graph.target(slot, of: vertex)) }
        }
        ownedByOthers = chosen.filter(isOwned.contains)
    }
}
