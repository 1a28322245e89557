import Foundation

/// The rank-sum test of Mann, Whitney and Wilcoxon: does one sample tend to larger values than the other? It asks nothing of
/// the distributions.
public struct MannWhitney: Hashable, Sendable {
    /// Pairs in which the value of the second sample is larger, a tie counting one half.
    public var u: Double
    /// Probability of such a `u` or a larger one if both samples come from one distribution.
    public var greater: Double
    /// Of such a `u` or a smaller one.
    public var less: Double
    /// Of a `u` that is as far from the middle, on either side.
    public var twoSided: Double
    /// The probabilities are exact, ties included; otherwise by the normal approximation.
    public var isExact: Bool

    /// Up to so many values together the exact distribution is counted.
    public static let exactLimit = 60

    /// Nil if a sample is empty. Cost: about N · n · N² steps for the exact distribution, N log N for the approximation.
    public init?(_ first: [Double], _ second: [Double]) {
        guard !first.isEmpty, !second.isEmpty else { return nil }
        // Twice the mid-ranks are integers.
        let ranks = Self.doubledRanks(first + second)
        let sum = ranks[first.count...].reduce(0, +)
        let (n, m) = (first.count, second.count)
        u = Double(sum) / 2 - Double(m * (m + 1)) / 2
        isExact = n + m <= Self.exactLimit
        let tails =
            isExact
            ? Self.exactTails(ranks, size: m, sum: sum)
            : Self.normalTails(ranks, n, m, u: u)
        (less, greater) = (min(1, tails.less), min(1, tails.greater))
        twoSided = min(1, 2 * min(less, greater))
    }

    private static func doubledRanks(_ values: [Double]) -> [Int] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Int](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
            for place in start..<end { ranks[order[place]] = start + 1 + end }
            start = end
        }
        return ranks
    }

    /// Counts the subsets of `size` ranks by their sum: ways(k, s) = ways(k, s) + ways(k − 1, s − rank), rank by rank.
    private static func exactTails(_ ranks: [Int], size: Int, sum: Int) -> (less: Double, greater: Double) {
        let most = ranks.sorted(by: >).prefix(size).reduce(0, +)
        var ways = [[Double]](repeating: [Double](repeating: 0, count: most + 1), count: size + 1)
        ways[0][0] = 1
        for rank in ranks {
            for k in stride(from: size, through: 1, by: -1) where rank <= most {
                for s in rank...most { ways[k][s] += ways[k - 1][s - rank] }
            }
        }
        let all = ways[size].reduce(0, +)
        return (ways[size][...sum].reduce(0, +) / all, ways[size][sum...].reduce(0, +) / all)
    }

    /// With the correction for ties and for continuity.
    private static func normalTails(_ ranks: [Int], _ n: Int, _ m: Int, u: Double) -> (less: Double, greater: Double) {
        let all = Double(n + m)
        let groups = Dictionary(grouping: ranks) { $0 }.values.map { Double($0.count) }
        let ties = groups.reduce(0.0) { (sum: Double, t: Double) -> Double in sum + t * t * t - t }
        let variance = Double(n * m) / 12 * (all + 1 - ties / (all * (all - 1)))
        guard variance > 0 else { return (1, 1) }
        let middle = Double(n * m) / 2
        func above(_ z: Double) -> Double { erfc(z / 2.0.squareRoot()) / 2 }
        let deviation = variance.squareRoot()
        return (above((middle - u - 0.5) / deviation), above((u - middle - 0.5) / deviation))
    }
}

/// The middle value of a sample; of an even number the mean of the middle two. Nil if it is empty.
public func median(_ values: some Collection<Double>) -> Double? {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return nil }
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
}
