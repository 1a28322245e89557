import GameprofBasics

/// What is growth and what is not.
package enum GrowthRule {
    /// Fewer levels, or fewer blocks that stayed after the warm-up, are no evidence.
    private static let fewestLevels = 12
    private static let fewestBlocks: UInt64 = 48
    /// Parts of the time after the warm-up, each of which must bring its share.
    private static let parts: UInt64 = 8

    /// Blocks that stayed after the warm-up when a run without marks shows growth, else nil.
    ///
    /// The first quarter of the curve's levels is warm-up. From there to the last allocation of the run, which must be a
    /// sixteenth of it at least, each eighth brings a quarter of its even share; a cache that is full, or that is emptied
    /// now and then, reaches no new level. The program works while it grows: one that only builds frees next to nothing.
    /// And the blocks outlive the program's own tidying up.
    ///
    /// - Parameters:
    ///   - lastAllocation: events of the recording until its last allocation.
    ///   - atEnd: live blocks of the stack at the end.
    static func run(_ curve: RisingCurve, lastAllocation: UInt64, atEnd: UInt64) -> Int? {
        let later = curve.passages.dropFirst(curve.passages.count / 4)
        guard later.count >= fewestLevels, let begin = later.first, let end = later.last,
            end.level - begin.level >= fewestBlocks, lastAllocation > begin.event
        else { return nil }
        let span = lastAllocation - begin.event
        guard span >= lastAllocation / 16, atEnd >= end.level - end.level / 10 else { return nil }
        var shares = Array(repeating: 0, count: Int(parts))
        for passage in later {
            let (product, overflows) = (passage.event - begin.event).multipliedReportingOverflow(by: parts)
            shares[min(shares.count - 1, overflows ? 0 : Int(product / span))] += 1
        }
        let even = Double(later.count) / Double(parts)
        guard shares.allSatisfy({ Double($0) >= even / 4 }) else { return nil }
        let frees = end.frees - begin.frees
        let allocations = end.event - begin.event - frees
        guard frees >= allocations / 8 else { return nil }
        return Int(clamping: end.level - begin.level)
    }

    /// Blocks more after each repetition when every one left more behind, else nil. The first is warm-up.
    package static func repetitions(_ counts: [UInt64]) -> Double? {
        let later = counts.dropFirst()
        guard later.count > RepetitionNames.fewest, let first = later.first, let last = later.last else { return nil }
        guard zip(later.dropFirst(), later).allSatisfy({ $0 > $1 }) else { return nil }
        return Double(last - first) / Double(later.count - 1)
    }
}
