/// The divergence of neighbouring stretches X = [s, τ) and Y = [τ, κ) of a series, with n and m values:
/// Q = 2/(n+m) · Σ|xᵢ−yⱼ| − 2m/((n+m)(n−1)) · Σ|xᵢ−xₖ| − 2n/((n+m)(m−1)) · Σ|yⱼ−yₗ|, sums over pairs; a sum over one value is 0.
public struct EnergyStatistic: Sendable {
    /// Where a stretch is divided best.
    public struct Division: Hashable, Sendable {
        /// τ
        public var index: Int
        /// Q
        public var value: Double
    }

    private let start: Int
    private let count: Int
    /// within[i · (count + 1) + j]: sum of the distances of all pairs in [i, j).
    private let within: [Double]

    /// Cost: the square of the number of values, in time and memory.
    public init(_ series: ArraySlice<Double>) {
        let values = Array(series)
        let width = values.count + 1
        var sums = [Double](repeating: 0, count: width * width)
        for j in values.indices {
            var column = 0.0
            for i in stride(from: j - 1, through: 0, by: -1) {
                column += abs(values[i] - values[j])
                sums[i * width + j + 1] = sums[i * width + j] + column
            }
        }
        (start, count, within) = (series.startIndex, values.count, sums)
    }

    /// The largest Q over all τ and κ of the stretch; the first of equal ones. Nil with fewer than two values.
    public func best(in stretch: Range<Int>) -> Division? {
        let (low, high) = (stretch.lowerBound - start, stretch.upperBound - start)
        guard high - low > 1 else { return nil }
        var best: Division?
        for tau in low + 1..<high {
            for kappa in tau + 1...high {
                let value = divergence(low, tau, kappa)
                if value > best?.value ?? -.infinity { best = Division(index: tau + start, value: value) }
            }
        }
        return best
    }

    private func divergence(_ low: Int, _ tau: Int, _ kappa: Int) -> Double {
        let (n, m) = (Double(tau - low), Double(kappa - tau))
        let (x, y) = (sum(low, tau), sum(tau, kappa))
        let between = sum(low, kappa) - x - y
        let ofX = n > 1 ? m / (n - 1) * x : 0
        let ofY = m > 1 ? n / (m - 1) * y : 0
        return 2 / (n + m) * (between - ofX - ofY)
    }

    private func sum(_ i: Int, _ j: Int) -> Double { within[i * (count + 1) + j] }
}
