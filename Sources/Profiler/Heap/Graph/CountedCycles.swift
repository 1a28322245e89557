import CGameprofProcessor
import GameprofBasics
import GameprofTrace

/// Lost cycles that a word without a type still names, as the room behind an array's elements does. Such a cycle is proved by its
/// reference counts: references between its members are all that they count, and nothing that lives without it names a member.
struct CountedCycles {
    /// Numbers of blocks: members, and what they alone hold.
    private(set) var lost: [Int] = []
    /// Members of cycles that nothing with a count owns from outside, while a pointer without one names them.
    private(set) var heldByPointer: [Int] = []
    private let heap: LiveHeap
    private let held: BitSet
    private let running: BitSet
    private let guessing: BitSet
    private let frames: BitSet
    /// Whether the first block holds the address of the second one itself, and not only one within it.
    private let holdsAddress: (Int, Int) -> Bool
    /// Blocks that may be members.
    private let candidates: [Int]
    private let components: Components

    /// - Parameters:
    ///   - held: what is named from outside of the heap by more than a word that may be stale.
    ///   - running: what a running thread names, which may just move a reference.
    ///   - room: blocks whose words may be stale.
    ///   - guessing: objects that do not say how many elements they have, as a ManagedBuffer.
    ///   - holdsAddress: whether the first block holds the address of the second one itself, and not only one within it.
    ///   - frames: frames of tasks: as on a stack, a word of theirs may be that of a function that has returned.
    init(
        _ heap: LiveHeap, held: BitSet, running: BitSet, room: BitSet, guessing: BitSet, frames: BitSet,
        holdsAddress: @escaping (Int, Int) -> Bool
    ) {
        (self.heap, self.held, self.running, self.guessing) = (heap, held, running, guessing)
        (self.frames, self.holdsAddress) = (frames, holdsAddress)
        let explained = Self.explained(heap)
        candidates = (0..<heap.count).filter(explained.contains)
        components = Components(PartOfGraph(StrongReferences(heap: heap), explained))
        find(among: members(running), room)
    }

    /// Components that would be proved if no running thread named a member.
    var hiddenCount: Int {
        func numbers(_ members: [Int]) -> Set<Int32> { Set(members.map { components.of[$0] }) }
        return numbers(members(BitSet(count: heap.count))).subtracting(numbers(members(running))).count
    }

    private mutating func find(among members: [Int], _ room: BitSet) {
        guard !members.isEmpty else { return }
        // What the cycles lead to lives if it is held, has another owner, or something leads to it that lives without them.
        var isLed = BitSet(count: heap.count)
        let led = follow(members, &isLed)
        let owners = owners(among: led)
        let others = (0..<heap.count).filter {
            heap.flags[$0].contains(.reachable) && !isLed.contains($0) && !room.contains($0)
        }
        var (isKept, isMember) = (BitSet(count: heap.count), BitSet(count: heap.count))
        for member in members { isMember.insert(member) }
        _ = follow(
            others + led.filter { held.contains($0) || hasOwner($0, beside: owners[$0, default: 0]) }, &isKept,
            beside: isMember)
        lost = led.filter { !isKept.contains($0) }
        let components = components
        let kept = Set(members.filter(isKept.contains).map { components.of[$0] })
        heldByPointer = members.filter { kept.contains(components.of[$0]) }
    }

    /// Adds the objects that only lost ones own, though a word of C memory, which may be stale, names them.
    mutating func addOwned() {
        var isLost = BitSet(count: heap.count)
        for block in lost { isLost.insert(block) }
        for block in 0..<heap.count where !heap.flags[block].contains(.reachable) { isLost.insert(block) }
        var open = (0..<heap.count).filter(isLost.contains)
        var owners: [Int: UInt32] = [:]
        while let block = open.popLast() {
            for edge in heap.references(of: block) where heap.ownership(of: edge) == .strong {
                let target = Int(heap.targets[edge])
                owners[target, default: 0] += 1
                guard !held.contains(target), heap.flags[target].contains(.countSure),
                    owners[target] == heap.strongCounts[target], isLost.insert(target)
                else { continue }
                lost.append(target)
                open.append(target)
            }
        }
    }

    /// The objects whose every owner is an object of which the same is true: none has an owner outside of the heap, and the members of
    /// a proved cycle are among them. Most heaps have few.
    private static func explained(_ heap: LiveHeap) -> BitSet {
        let owners = [UInt32](large: heap.count) { owners in
            owners.initialize(repeating: 0, count: heap.count)
            heap.targets.withUnsafeBufferPointer { targets in
                for edge in targets.indices {
                    // What comes is fetched: each access by chance misses the caches.
                    if edge + 16 < targets.count { gp_prefetch(owners + Int(targets[edge + 16])) }
                    if heap.ownership(of: edge) == .strong { owners[Int(targets[edge])] += 1 }
                }
            }
        }
        // With more owners than it counts an object may have one that does not count.
        var (isKept, hasMore) = (BitSet(count: heap.count), BitSet(count: heap.count))
        var queue: [UInt32] = []
        for block in 0..<heap.count {
            if !heap.flags[block].isSuperset(of: [.reachable, .countSure]) || owners[block] < heap.strongCounts[block] {
                isKept.insert(block)
                queue.append(UInt32(block))
            } else if owners[block] > heap.strongCounts[block] {
                hasMore.insert(block)
            }
        }
        WalkAhead.with(heap) { ahead in
            var next = 0
            while next < queue.count {
                ahead.fetch(queue, at: next)
                for edge in heap.references(of: Int(queue[next])) where heap.ownership(of: edge) == .strong {
                    let target = Int(heap.targets[edge])
                    if !hasMore.contains(target), isKept.insert(target) { queue.append(UInt32(target)) }
                }
                next += 1
            }
        }
        var explained = BitSet(count: heap.count)
        for block in 0..<heap.count where !isKept.contains(block) { explained.insert(block) }
        return explained
    }

    /// Of components whose counts are all explained.
    /// - Parameter held: a component with one of these is not proved.
    private func members(_ held: BitSet) -> [Int] {
        guard !candidates.isEmpty else { return [] }
        var incoming = [UInt32](repeating: 0, count: heap.count)
        var isProved = [Bool](repeating: true, count: components.count)
        for block in candidates {
            let component = components.of[block]
            for edge in heap.references(of: block) {
                switch heap.ownership(of: edge) {
                case .strong where components.of[Int(heap.targets[edge])] == component:
                    incoming[Int(heap.targets[edge])] += 1
                // Not all that it holds is known.
                case .conservative where heap.label(of: edge) == 0: isProved[Int(component)] = false
                default: break
                }
            }
        }
        for block in candidates
        where held.contains(block) || incoming[block] == 0 || incoming[block] != heap.strongCounts[block] {
            isProved[Int(components.of[block])] = false
        }
        return candidates.filter { isProved[Int(components.of[$0])] }
    }

    /// References of these blocks to objects.
    private func owners(among blocks: [Int]) -> [Int: UInt32] {
        var result: [Int: UInt32] = [:]
        for block in blocks {
            for edge in heap.references(of: block) where heap.ownership(of: edge) == .strong {
                result[Int(heap.targets[edge]), default: 0] += 1
            }
        }
        return result
    }

    private func hasOwner(_ block: Int, beside owners: UInt32) -> Bool {
        guard heap.flags[block].contains(.swift) else { return false }
        return !heap.flags[block].contains(.countSure) || heap.strongCounts[block] > owners
    }

    /// Whether a word of an object may be the remains of a value: what of it names an object that counts its owners holds nothing.
    private func isRoom(_ edge: Int, of block: Int) -> Bool {
        let label = Int(heap.label(of: edge))
        return label == 0
            || guessing.contains(block) && heap.labels[label].kind == .element
                && heap.flags[Int(heap.targets[edge])].contains(.countSure)
    }

    /// The blocks and what they lead to.
    /// - Parameter members: not from words that may be stale: what an object has room for and does not use leads nowhere; frames of tasks,
    ///   and words that point into members, do not lead to these. Nil: from all words.
    private func follow(_ blocks: [Int], _ reached: inout BitSet, beside members: BitSet? = nil) -> [Int] {
        var queue = blocks.filter { reached.insert($0) }
        var next = 0
        while next < queue.count {
            let isObject = heap.flags[queue[next]].contains(.swift)
            for edge in heap.references(of: queue[next]) {
                switch heap.ownership(of: edge) {
                case .conservative where members != nil && isObject && isRoom(edge, of: queue[next]): break
                case .conservative
                where members?.contains(Int(heap.targets[edge])) == true
                    && (frames.contains(queue[next]) || !holdsAddress(queue[next], Int(heap.targets[edge]))):
                    break
                case .strong, .conservative, .unmanaged:
                    if reached.insert(Int(heap.targets[edge])) { queue.append(Int(heap.targets[edge])) }
                case .unowned, .weak: break
                }
            }
            next += 1
        }
        return queue
    }
}

/// A heap with its strong references; any other leads back to its own block.
private struct StrongReferences: SlottedGraph {
    let heap: LiveHeap
    var vertexCount: Int { heap.count }

    func slots(of vertex: Int) -> Range<Int> { heap.references(of: vertex) }

    func target(_ slot: Int, of vertex: Int) -> Int {
        heap.ownership(of: slot) == .strong ? Int(heap.targets[slot]) : vertex
    }
}
