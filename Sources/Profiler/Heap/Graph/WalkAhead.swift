import CGameprofProcessor
import GameprofTrace

/// Fetches what a walk over a heap will need for the blocks that wait next in its queue. The blocks of a large heap are met in no
/// order of their addresses, so that each step would miss the caches.
struct WalkAhead {
    private let rows: UnsafePointer<UInt32>
    private let targets: UnsafePointer<UInt32>
    private let kinds: LiveHeap.KindPlaces
    private static let (rowsAhead, targetsAhead, blocksAhead) = (24, 16, 8)
    /// References of a block behind its first few are read in order, so that the processor fetches them itself.
    private static let fetched = 4

    /// Calls `walk` with one for the heap.
    static func with(_ heap: LiveHeap, _ walk: (WalkAhead) -> Void) {
        heap.rows.withUnsafeBufferPointer { rows in
            heap.targets.withUnsafeBufferPointer { targets in
                guard let rows = rows.baseAddress, let targets = targets.baseAddress else { return }
                heap.withKinds { walk(WalkAhead(rows: rows, targets: targets, kinds: $0)) }
            }
        }
    }

    /// - Parameters:
    ///   - next: the position of the block whose references are followed now.
    ///   - soon: fetches what is kept of a block to which these will lead.
    @inline(__always)
    func fetch(_ queue: [UInt32], at next: Int, _ soon: (Int) -> Void = { _ in }) {
        if next + Self.rowsAhead < queue.count { gp_prefetch(rows + Int(queue[next + Self.rowsAhead])) }
        if next + Self.targetsAhead < queue.count {
            let reference = Int(rows[Int(queue[next + Self.targetsAhead])])
            gp_prefetch(targets + reference)
            gp_prefetch(kinds.place(of: reference))
        }
        guard next + Self.blocksAhead < queue.count else { return }
        let block = Int(queue[next + Self.blocksAhead])
        let first = Int(rows[block])
        for reference in first..<min(Int(rows[block + 1]), first + Self.fetched) { soon(Int(targets[reference])) }
    }
}
