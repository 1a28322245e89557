import Foundation

/// What a sampled block stands for.
struct BlockWeight {
    /// Of the block itself.
    var size: UInt64
    /// 1/p, with p = 1 − e^(−S/R).
    var count: Double
    /// S/p.
    var bytes: Double
    /// (1 − p)/p².
    var countVariance: Double
    /// S²(1 − p)/p².
    var bytesVariance: Double

    /// `mean`: R, in bytes. A block of 0 bytes is never sampled.
    init(size: UInt64, mean: UInt64) {
        let bytes = Double(size)
        let chance = size > 0 ? -expm1(-bytes / Double(mean)) : 1
        self.size = size
        count = 1 / chance
        self.bytes = bytes / chance
        countVariance = (1 - chance) / (chance * chance)
        bytesVariance = bytes * bytes * countVariance
    }
}

/// What several sampled blocks stand for: each is corrected by its own chance, then they are added up.
struct BlockSum {
    private(set) var samples: UInt64 = 0
    private(set) var observed: UInt64 = 0
    private(set) var count = 0.0
    private(set) var bytes = 0.0
    private(set) var countVariance = 0.0
    private(set) var bytesVariance = 0.0

    mutating func add(_ weight: BlockWeight, times: UInt64 = 1) {
        let factor = Double(times)
        samples &+= times
        observed &+= weight.size &* times
        count += weight.count * factor
        bytes += weight.bytes * factor
        countVariance += weight.countVariance * factor
        bytesVariance += weight.bytesVariance * factor
    }

    mutating func add(_ other: BlockSum) {
        samples &+= other.samples
        observed &+= other.observed
        count += other.count
        bytes += other.bytes
        countVariance += other.countVariance
        bytesVariance += other.bytesVariance
    }

    /// What is left of these blocks without those; nothing when they are as many, whatever rounding leaves.
    func subtracting(_ part: BlockSum) -> BlockSum {
        var rest = BlockSum()
        guard samples > part.samples else { return rest }
        rest.samples = samples - part.samples
        rest.observed = observed > part.observed ? observed - part.observed : 0
        rest.count = max(0, count - part.count)
        rest.bytes = max(0, bytes - part.bytes)
        rest.countVariance = max(0, countVariance - part.countVariance)
        rest.bytesVariance = max(0, bytesVariance - part.bytesVariance)
        return rest
    }
}
