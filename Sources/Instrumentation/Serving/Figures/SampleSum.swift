import GameprofBasics

/// What sampled blocks stand for.
package struct SampleSum: Equatable {
    package var samples: UInt64 = 0
    /// Bytes of the sampled blocks themselves.
    package var observed: UInt64 = 0
    package var count: Double = 0
    package var bytes: Double = 0
    package var countVariance: Double = 0
    package var bytesVariance: Double = 0

    package static func += (sum: inout SampleSum, other: SampleSum) {
        sum.samples &+= other.samples
        sum.observed &+= other.observed
        sum.count += other.count
        sum.bytes += other.bytes
        sum.countVariance += other.countVariance
        sum.bytesVariance += other.bytesVariance
    }

    package static func + (left: SampleSum, right: SampleSum) -> SampleSum {
        var sum = left
        sum += right
        return sum
    }

    package var wholeCount: UInt64 { UInt64(estimating: count) }
    package var wholeBytes: UInt64 { UInt64(estimating: bytes) }

    /// The true bytes lie in here in 95 of 100 cases.
    package var bytesInterval: ClosedRange<UInt64> {
        SampledFigure(variance: bytesVariance, observed: observed).interval(of: wholeBytes)
    }

    /// The true number of blocks lies in here in 95 of 100 cases.
    package var countInterval: ClosedRange<UInt64> {
        SampledFigure(variance: countVariance, observed: samples).interval(of: wholeCount)
    }
}
