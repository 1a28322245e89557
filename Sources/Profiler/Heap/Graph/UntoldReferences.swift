import GameprofBasics
import GameprofTrace

/// What types do not tell: addresses that a program keeps as numbers, perhaps with bits of its own, or encodes. The search for
/// leaks counts them; in the graph of the heap they lead to what nothing else leads to.
struct UntoldReferences {
    private let graph: BlockGraph
    private let heap: LiveHeap
    private let reached: Reachability

    init(_ graph: BlockGraph, _ heap: LiveHeap, _ reached: Reachability) {
        (self.graph, self.heap, self.reached) = (graph, heap, reached)
    }

    /// Over what types tell.
    static func walk(_ heap: LiveHeap) -> RootWalk {
        RootWalk(HoldingGraph(heap: heap).withUnmanaged, heap.roots, libc: heap.roots.count, stale: [])
    }

    /// The heap with these references. Linear; most heaps stay as they are.
    /// - Parameter told: `walk` over the same references, if that was made.
    func completed(_ told: RootWalk?) -> LiveHeap {
        let walk = told ?? Self.walk(heap)
        var isMissing = BitSet(count: heap.count)
        var isWhole = true
        for block in heap.flags.indices where heap.flags[block].contains(.reachable) && !walk.reaches(block) {
            isMissing.insert(block)
            isWhole = false
        }
        guard !isWhole else { return heap }
        var targets: [Int: [Int]] = [:]
        graph.blocks.visitAll { block in
            guard heap.flags[block.number].contains(.reachable), let type = graph.type(of: block) else { return }
            graph.forEachNumber(of: block, type) { target in
                if isMissing.contains(target) { targets[block.number, default: []].append(target) }
            }
        }
        var roots = heap.roots
        for found in reached.encoded where isMissing.contains(found.block) {
            if let holder = found.holder {
                targets[holder, default: []].append(found.block)
            } else {
                roots.append(
                    HeapRoot(
                        object: ObjectID(rawValue: UInt32(found.block + 1)), kind: .mapped, address: 0, thread: .none,
                        label: "an encoded address"))
            }
        }
        var result = heap.adding(targets)
        result.roots = roots
        return result
    }
}

extension LiveHeap {
    /// - Parameter more: by block, the targets of further references of unknown meaning.
    fileprivate func adding(_ more: [Int: [Int]]) -> LiveHeap {
        var result = LiveHeap(blocks: count, references: targets.count + more.count)
        for block in 0..<count {
            result.add(
                address: addresses[block], size: sizes[block], type: types[block], stack: stacks[block],
                strong: strongCounts[block], flags: flags[block])
            for edge in references(of: block) {
                result.add(target: targets[edge], label: UInt32(label(of: edge)), ownership: ownership(of: edge))
            }
            for target in more[block] ?? [] {
                result.add(target: UInt32(target), label: 0, ownership: .conservative)
            }
        }
        (result.labels, result.isDamaged) = (labels, isDamaged)
        return result
    }
}
