import GameprofBasics

/// Estimates of a sampled recording, kept beside the counter's own numbers, which count samples there.
struct SampledCounter {
    struct Entry {
        var made = BlockSum()
        var freed = BlockSum()
        var temporary = BlockSum()

        var live: BlockSum { made.subtracting(freed) }
    }

    /// Bytes between two points of the process that sampled.
    let mean: UInt64
    private let live: [SampledLiveRecord]
    private(set) var totals = Entry()
    private var stacks: [Entry] = []
    /// By type: what was freed, since a block's type is read then.
    private var types: [Int: Entry] = [:]
    private var weights: [UInt64: BlockWeight] = [:]
    /// What rounding has kept from the counts of moments so far.
    private var carry = 0.0

    /// `live`: the samples that lived at the end.
    init(mean: UInt64, live: [SampledLiveRecord]) {
        self.mean = mean
        self.live = live
    }

    private mutating func weight(_ size: UInt64) -> BlockWeight {
        if let known = weights[size] { return known }
        let weight = BlockWeight(size: size, mean: mean)
        if weights.count < 1 << 16 { weights[size] = weight }
        return weight
    }

    private mutating func makeRoom(_ place: Int) {
        while stacks.count <= place { stacks.append(Entry()) }
    }

    /// Counts a block of the stack at `place`; the bytes that it stands for.
    mutating func made(_ place: Int, _ size: UInt64) -> UInt64 {
        let weight = weight(size)
        makeRoom(place)
        stacks[place].made.add(weight)
        totals.made.add(weight)
        return UInt64(estimating: weight.bytes)
    }

    /// The same of a block that is freed.
    mutating func freed(_ place: Int, type: Int, _ size: UInt64) -> UInt64 {
        let weight = weight(size)
        makeRoom(place)
        stacks[place].freed.add(weight)
        types[type, default: Entry()].freed.add(weight)
        totals.freed.add(weight)
        return UInt64(estimating: weight.bytes)
    }

    /// The same of blocks that came and went.
    mutating func passed(_ place: Int, type: Int, _ size: UInt64, count: UInt64) -> UInt64 {
        let weight = weight(size)
        makeRoom(place)
        func add(_ entry: inout Entry) {
            entry.made.add(weight, times: count)
            entry.freed.add(weight, times: count)
            entry.temporary.add(weight, times: count)
        }
        add(&stacks[place])
        add(&totals)
        types[type, default: Entry()].freed.add(weight, times: count)
        types[type, default: Entry()].temporary.add(weight, times: count)
        return UInt64(estimating: weight.bytes)
    }

    /// How many blocks `count` samples of that size stand for, so that all such numbers together are right.
    mutating func moment(_ size: UInt64, _ count: UInt64) -> UInt64 {
        carry += weight(size).count * Double(count)
        let whole = UInt64(estimating: carry.rounded(.down))
        carry -= Double(whole)
        return whole
    }

    // MARK: - Results

    private func counts(_ entry: Entry, live: BlockSum, peak: UInt64, atPeak: UInt64) -> AllocationCounts {
        var counts = AllocationCounts()
        counts.allocations = UInt64(estimating: entry.made.count)
        counts.frees = UInt64(estimating: entry.freed.count)
        counts.bytes = UInt64(estimating: entry.made.bytes)
        counts.liveCount = UInt64(estimating: live.count)
        counts.liveBytes = UInt64(estimating: live.bytes)
        counts.peakBytes = max(peak, counts.liveBytes)
        counts.atPeakBytes = atPeak
        counts.temporary = UInt64(estimating: entry.temporary.count)
        func count(_ sum: BlockSum) -> SampledFigure {
            SampledFigure(variance: sum.countVariance, observed: sum.samples)
        }
        func bytes(_ sum: BlockSum) -> SampledFigure {
            SampledFigure(variance: sum.bytesVariance, observed: sum.observed)
        }
        var sampled = SampledCounts()
        sampled.samples = entry.made.samples
        sampled.figures = [
            .allocations: count(entry.made), .frees: count(entry.freed), .bytes: bytes(entry.made),
            .liveCount: count(live), .liveBytes: bytes(live), .temporary: count(entry.temporary),
            .peakBytes: levelFigure(of: counts.peakBytes),
        ]
        counts.sampled = sampled
        return counts
    }

    /// Of live bytes at a moment whose samples are not known any more: S(1 − p)/p ≤ R, so that the variance is at most R
    /// times the estimate.
    func levelFigure(of bytes: UInt64) -> SampledFigure {
        SampledFigure(variance: Double(mean) * Double(bytes))
    }

    func totalCounts(peak: UInt64) -> AllocationCounts {
        counts(totals, live: totals.live, peak: peak, atPeak: peak)
    }

    func stackCounts(_ place: Int, peak: UInt64, atPeak: UInt64) -> AllocationCounts {
        let entry = place < stacks.count ? stacks[place] : Entry()
        return counts(entry, live: entry.live, peak: peak, atPeak: atPeak)
    }

    /// How many live blocks a live sample of the stack stands for.
    func liveBlocksPerSample(_ place: Int) -> Double {
        let live = place < stacks.count ? stacks[place].live : BlockSum()
        return live.samples > 0 ? live.count / Double(live.samples) : 1
    }

    /// Freed blocks by the type read as they were freed, living ones by the samples at the end; what remains has no known
    /// type. `peaks` and `atPeaks`: by type.
    func typeCounts(peaks: [UInt64], atPeaks: [UInt64]) -> [TypeAllocations] {
        var living: [Int: BlockSum] = [:]
        var rest = totals.live
        for record in live where record.type.index < peaks.count {
            var one = BlockSum()
            one.add(BlockWeight(size: record.size, mean: mean))
            living[record.type.index, default: BlockSum()].add(one)
            rest = rest.subtracting(one)
        }
        living[0, default: BlockSum()].add(rest)
        return peaks.indices.compactMap { type in
            var entry = types[type] ?? Entry()
            let live = living[type] ?? BlockSum()
            entry.made = entry.freed
            entry.made.add(live)
            guard entry.made.samples > 0 || atPeaks[type] > 0 else { return nil }
            let peak = live.samples > 0 || entry.made.samples > 0 ? peaks[type] : 0
            return TypeAllocations(
                type: TypeID(UInt32(type)), counts: counts(entry, live: live, peak: peak, atPeak: atPeaks[type]))
        }
    }
}
