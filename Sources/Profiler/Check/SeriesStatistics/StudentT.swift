import Foundation

/// Student's t-test for two samples of equal variance.
public enum StudentT {
    /// Probability that two samples of one normal distribution differ in their means as much or more. 1 with fewer than three
    /// values, or where nothing differs; 0 where means differ and nothing else does.
    public static func test(_ a: some Collection<Double>, _ b: some Collection<Double>) -> Double {
        let (n, m) = (Double(a.count), Double(b.count))
        guard n > 0, m > 0, n + m > 2 else { return 1 }
        let (meanA, meanB) = (a.reduce(0, +) / n, b.reduce(0, +) / m)
        let squares =
            a.reduce(0) { $0 + ($1 - meanA) * ($1 - meanA) } + b.reduce(0) { $0 + ($1 - meanB) * ($1 - meanB) }
        let difference = meanA - meanB
        guard difference != 0 else { return 1 }
        guard squares > 0 else { return 0 }
        let freedom = n + m - 2
        let error = (squares / freedom * (1 / n + 1 / m)).squareRoot()
        return twoSided(difference / error, freedom: freedom)
    }

    /// P(|T| ≥ |t|) = I(ν / (ν + t²); ν/2, 1/2), the regularised incomplete beta function.
    public static func twoSided(_ t: Double, freedom: Double) -> Double {
        guard t.isFinite else { return t.isNaN ? 1 : 0 }
        return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)
    }

    /// By its continued fraction (Lentz's method; Abramowitz and Stegun 26.5.8).
    static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard x < 1 else { return 1 }
        let front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log1p(-x))
        // The fraction converges fast below the mean; above it the mirrored one does.
        if x < (a + 1) / (a + b + 2) { return front * fraction(x, a, b) / a }
        return 1 - front * fraction(1 - x, b, a) / b
    }

    private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        func nonZero(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
        var c = 1.0
        var d = 1 / nonZero(1 - (a + b) * x / (a + 1))
        var result = d
        for step in 1...500 {
            let m = Double(step)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1 / nonZero(1 + even * d)
            c = nonZero(1 + even / c)
            result *= d * c
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / nonZero(1 + odd * d)
            c = nonZero(1 + odd / c)
            result *= d * c
            if abs(d * c - 1) < 1e-15 { break }
        }
        return result
    }

    /// lgamma is not safe to call from several threads with glibc: it writes the sign to a global variable.
    private static func logGamma(_ x: Double) -> Double {
        var sign: Int32 = 0
        return lgamma_r(x, &sign)
    }
}
