/// The figures of `AllocationCounts` that have an interval when they are estimated from samples.
public enum AllocationFigure: String, CaseIterable, Sendable {
    case allocations, frees, bytes, liveCount, liveBytes, peakBytes, temporary
}

/// How sure an estimate is.
public struct SampledFigure: Hashable, Sendable {
    /// Of the estimate.
    public var variance: Double
    /// What the samples add up to themselves: there was at least as much.
    public var observed: UInt64

    public init(variance: Double = 0, observed: UInt64 = 0) {
        self.variance = variance
        self.observed = observed
    }

    /// The true value lies in here in 95 of 100 recordings.
    ///
    /// Wilson's score interval for the count of a Poisson process, in units of variance / estimate: what a sample stands
    /// for as far as chance decided it. Unlike ± 1.96 σ it holds for a few samples too.
    public func interval(of estimate: UInt64) -> ClosedRange<UInt64> {
        let value = Double(estimate)
        guard variance > 0, variance.isFinite, value > 0 else { return estimate...estimate }
        let z = 1.959963984540054
        let unit = variance / value
        let half = z * (variance + unit * unit * z * z / 4).squareRoot()
        let centre = value + unit * z * z / 2
        let low = max(UInt64(estimating: centre - half), min(observed, estimate))
        return low...max(UInt64(estimating: centre + half), estimate)
    }
}

/// What `AllocationCounts` of a sampled recording say of themselves.
public struct SampledCounts: Hashable, Sendable {
    /// Blocks that were sampled.
    public var samples: UInt64 = 0
    public var figures: [AllocationFigure: SampledFigure] = [:]

    public init() {}

    /// The samples of two groups are independent.
    mutating func add(_ other: SampledCounts) {
        samples.add(clamping: other.samples)
        figures.merge(other.figures) {
            SampledFigure(variance: $0.variance + $1.variance, observed: [$0.observed, $1.observed].clampedSum)
        }
    }

    /// Takes a part away.
    package mutating func subtract(_ part: SampledCounts) {
        samples -= min(samples, part.samples)
        for (figure, own) in part.figures {
            guard let all = figures[figure] else { continue }
            figures[figure] = SampledFigure(
                variance: max(0, all.variance - own.variance), observed: all.observed - min(all.observed, own.observed))
        }
    }
}

extension UInt64 {
    /// An estimate as a whole number; 0 below it, and of what is no number.
    package init(estimating value: Double) {
        self = value > 0 ? value < 0x1p63 ? UInt64(value.rounded()) : 1 << 63 : 0
    }
}

extension SampledCounts {
    /// A figure in JSON. The bounds follow from the other two.
    private struct Encoded: Codable {
        var low: UInt64
        var high: UInt64
        var standardError: Double
        var observed: UInt64
    }

    private enum Key: String, CodingKey { case samples, figures }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        samples = try container.decode(UInt64.self, forKey: .samples)
        for (name, encoded) in try container.decode([String: Encoded].self, forKey: .figures) {
            guard let figure = AllocationFigure(rawValue: name) else { continue }
            figures[figure] = SampledFigure(
                variance: encoded.standardError * encoded.standardError, observed: encoded.observed)
        }
    }

    func encode(to encoder: any Encoder, of counts: AllocationCounts) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(samples, forKey: .samples)
        var encoded: [String: Encoded] = [:]
        for (figure, own) in figures {
            let interval = own.interval(of: counts[figure])
            encoded[figure.rawValue] = Encoded(
                low: interval.lowerBound, high: interval.upperBound, standardError: own.variance.squareRoot().rounded(),
                observed: own.observed)
        }
        try container.encode(encoded, forKey: .figures)
    }
}
