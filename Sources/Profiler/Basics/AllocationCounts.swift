/// Counts of a group of allocations; bytes are those that the program asked for.
public struct AllocationCounts: Codable, Hashable, Sendable {
    public var allocations: UInt64 = 0
    public var frees: UInt64 = 0
    public var bytes: UInt64 = 0
    public var liveCount: UInt64 = 0
    public var liveBytes: UInt64 = 0
    public var peakBytes: UInt64 = 0
    /// Live when the live memory of the whole program was largest.
    public var atPeakBytes: UInt64 = 0
    /// Blocks that their thread freed before it allocated another.
    public var temporary: UInt64 = 0
    /// How sure the counts are where they are estimates; nil: they are exact.
    public var sampled: SampledCounts?

    public init() {}

    private enum CodingKeys: String, CodingKey {
        case allocations, frees, bytes, liveCount, liveBytes, peakBytes, atPeakBytes, temporary, sampled
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        allocations = try container.decode(UInt64.self, forKey: .allocations)
        frees = try container.decode(UInt64.self, forKey: .frees)
        bytes = try container.decode(UInt64.self, forKey: .bytes)
        liveCount = try container.decode(UInt64.self, forKey: .liveCount)
        liveBytes = try container.decode(UInt64.self, forKey: .liveBytes)
        peakBytes = try container.decode(UInt64.self, forKey: .peakBytes)
        // Reports of earlier versions lack it.
        atPeakBytes = try container.decodeIfPresent(UInt64.self, forKey: .atPeakBytes) ?? 0
        temporary = try container.decode(UInt64.self, forKey: .temporary)
        if container.contains(.sampled) { sampled = try SampledCounts(from: container.superDecoder(forKey: .sampled)) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(allocations, forKey: .allocations)
        try container.encode(frees, forKey: .frees)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(liveCount, forKey: .liveCount)
        try container.encode(liveBytes, forKey: .liveBytes)
        try container.encode(peakBytes, forKey: .peakBytes)
        try container.encode(atPeakBytes, forKey: .atPeakBytes)
        try container.encode(temporary, forKey: .temporary)
        if let sampled { try sampled.encode(to: container.superEncoder(forKey: .sampled), of: self) }
    }

    public subscript(figure: AllocationFigure) -> UInt64 {
        switch figure {
        case .allocations: allocations
        case .frees: frees
        case .bytes: bytes
        case .liveCount: liveCount
        case .liveBytes: liveBytes
        case .peakBytes: peakBytes
        case .temporary: temporary
        }
    }

    /// The true figure lies in here in 95 of 100 recordings; nil: it is exact.
    public func interval(_ figure: AllocationFigure) -> ClosedRange<UInt64>? {
        sampled.map { ($0.figures[figure] ?? SampledFigure()).interval(of: self[figure]) }
    }

    /// Adds what another group counts. Peaks of different groups are added too: the sum is an upper bound.
    package mutating func add(_ other: AllocationCounts) {
        allocations.add(clamping: other.allocations)
        frees.add(clamping: other.frees)
        bytes.add(clamping: other.bytes)
        liveCount.add(clamping: other.liveCount)
        liveBytes.add(clamping: other.liveBytes)
        peakBytes.add(clamping: other.peakBytes)
        atPeakBytes.add(clamping: other.atPeakBytes)
        temporary.add(clamping: other.temporary)
        if let others = other.sampled {
            var sum = sampled ?? SampledCounts()
            sum.add(others)
            sampled = sum
        }
    }
}
