import GameprofBasics

/// Which blocks were seen in the present round.
struct BlockMarks {
    private var seen: BitSet
    private var blocks: [UInt32] = []

    init(count: Int) { seen = BitSet(count: count) }

    mutating func begin() {
        for block in blocks { seen.remove(Int(block)) }
        blocks.removeAll(keepingCapacity: true)
    }

    /// False: it was seen in this round.
    mutating func insert(_ block: UInt32) -> Bool {
        guard seen.insert(Int(block)) else { return false }
        blocks.append(block)
        return true
    }
}
