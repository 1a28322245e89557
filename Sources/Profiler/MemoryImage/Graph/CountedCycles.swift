import GameprofBasics
import GameprofRecording
import GameprofTraceFile

/// Lost cycles that a word without a type still names, as the room behind an array's elements does. Such a cycle is proved by its
/// reference counts: references between its members are all that they count, and nothing that lives without it names a member.
struct CountedCycles {
    /// Numbers of blocks: members, and what they alone hold.
    private(set) var lost: [Int] = []
    private let heap: LiveHeap
    private let held: BitSet

    /// - Parameter held: what is named from outside of the heap by more than a word that may be stale.
    init(_ heap: LiveHeap, held: BitSet) {
        (self.heap, self.held) = (heap, held)
        find(among: members())
    }

    private mutating func find(among members: [Int]) {
        guard !members.isEmpty else { return }
        // What the cycles lead to lives if it is held, has another owner, or something leads to it that lives without them.
        var isLed = BitSet(count: heap.count)
        let led = follow(members, &isLed)
        let owners = owners(among: led)
        let others = (0..<heap.count).filter { heap.flags[$0].contains(.reachable) && !isLed.contains($0) }
        var isKept = BitSet(count: heap.count)
        _ = follow(others + led.filter { held.contains($0) || hasOwner($0, beside: owners[$0, default: 0]) }, &isKept)
        lost = led.filter { !isKept.contains($0) }
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

    /// Of components whose counts are all explained.
    private func members() -> [Int] {
        let components = Components(StrongReferences(heap: heap))
        var incoming = [UInt32](repeating: 0, count: heap.count)
        var isProved = [Bool](repeating: true, count: components.count)
        for block in 0..<heap.count {
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
        for block in 0..<heap.count
        where !heap.flags[block].isSuperset(of: [.reachable, .countSure]) || held.contains(block)
            || incoming[block] == 0 || incoming[block] != heap.strongCounts[block]
        {
            isProved[Int(components.of[block])] = false
        }
        return (0..<heap.count).filter { isProved[Int(components.of[$0])] }
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

    /// The blocks and what they lead to.
    private func follow(_ blocks: [Int], _ reached: inout BitSet) -> [Int] {
        var queue = blocks.filter { reached.insert($0) }
        var next = 0
        while next < queue.count {
            for edge in heap.references(of: queue[next]) {
                switch heap.ownership(of: edge) {
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
