/// Counts durations for percentiles: exactly up to 4,096 of them, beyond that to 0.2 %. Count, total,
/// minimum and maximum are always exact. Durations have any one unit.
public struct DurationHistogram: Sendable {
    /// So many durations are kept one by one.
    static let exactLimit = 4096

    public private(set) var count: UInt64 = 0
    public private(set) var total: UInt64 = 0
    public private(set) var minimum: UInt64 = .max
    public private(set) var maximum: UInt64 = 0
    private var exact: [UInt64] = []
    private var buckets: [Int: UInt64] = [:]

    public init() {}

    /// Percentiles are exact.
    public var isExact: Bool { buckets.isEmpty }

    public mutating func add(_ duration: UInt64) {
        count += 1
        total = total.addingReportingOverflow(duration).overflow ? .max : total + duration
        minimum = min(minimum, duration)
        maximum = max(maximum, duration)
        guard buckets.isEmpty else {
            buckets[Self.bucket(of: duration), default: 0] += 1
            return
        }
        exact.append(duration)
        guard exact.count > Self.exactLimit else { return }
        for duration in exact { buckets[Self.bucket(of: duration), default: 0] += 1 }
        exact = []
    }

    /// Adds all durations of another.
    public mutating func add(_ other: DurationHistogram) {
        guard other.count > 0 else { return }
        if other.isExact {
            for duration in other.exact { add(duration) }
            return
        }
        for duration in exact { buckets[Self.bucket(of: duration), default: 0] += 1 }
        exact = []
        for (bucket, number) in other.buckets { buckets[bucket, default: 0] += number }
        count += other.count
        total = total.addingReportingOverflow(other.total).overflow ? .max : total + other.total
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
    }

    /// For each share from 0 to 1, in ascending order, the duration that so many do not exceed (nearest rank).
    /// Costs a sort of what is kept.
    public func percentiles(_ shares: [Double]) -> [UInt64] {
        guard count > 0 else { return shares.map { _ in 0 } }
        if isExact {
            let sorted = exact.sorted()
            return shares.map { sorted[Int(rank($0)) - 1] }
        }
        var result: [UInt64] = []
        var passed: UInt64 = 0
        var next = 0
        for (bucket, number) in buckets.sorted(by: { $0.key < $1.key }) {
            passed += number
            while next < shares.count, rank(shares[next]) <= passed {
                result.append(min(max(Self.middle(of: bucket), minimum), maximum))
                next += 1
            }
        }
        return result
    }

    /// How many are longer, as exactly as percentiles are.
    package func count(above limit: UInt64) -> UInt64 {
        if isExact { return UInt64(exact.count { $0 > limit }) }
        return buckets.reduce(0) { $0 + (Self.middle(of: $1.key) > limit ? $1.value : 0) }
    }

    private func rank(_ share: Double) -> UInt64 { min(count, max(1, UInt64((share * Double(count)).rounded(.up)))) }

    // 256 buckets for each power of two from 256 on: a bucket is at most 1/256 of its values wide.
    private static func bucket(of value: UInt64) -> Int {
        let shift = max(0, 55 - value.leadingZeroBitCount)
        return shift << 9 | Int(value >> UInt64(shift))
    }

    private static func middle(of bucket: Int) -> UInt64 {
        let shift = UInt64(bucket >> 9)
        return UInt64(bucket & 511) << shift + (shift > 0 ? 1 << (shift - 1) : 0)
    }
}
