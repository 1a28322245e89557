/// Which blocks were seen in the present round.
struct BlockMarks {
    private var rounds: [UInt32]
    private var round: UInt32 = 0

    init(count: Int) { rounds = [UInt32](repeating: 0, count: count) }

    mutating func begin() { round += 1 }

    /// False: it was seen in this round.
    mutating func insert(_ block: UInt32) -> Bool {
        guard rounds[Int(block)] != round else { return false }
        rounds[Int(block)] = round
        return true
    }
}
