import Foundation
import SeriesStatistics
import Testing

struct StudentTTests {
    /// Critical values that every table of the distribution has.
    @Test(
        "the distribution has its tabled values",
        arguments: [
            (12.706, 1.0, 0.05), (4.303, 2, 0.05), (2.228, 10, 0.05), (4.587, 10, 0.001), (2.042, 30, 0.05),
            (3.646, 30, 0.001), (1.984, 100, 0.05), (0, 5, 1),
        ])
    func criticalValues(t: Double, freedom: Double, p: Double) {
        #expect(abs(StudentT.twoSided(t, freedom: freedom) - p) < 0.0005 * max(1, p * 10))
        #expect(abs(StudentT.twoSided(-t, freedom: freedom) - p) < 0.0005 * max(1, p * 10))
    }

    /// With one degree of freedom it is the Cauchy distribution, with two it has a closed form.
    @Test("the distribution agrees with its closed forms", arguments: [0.01, 0.5, 1, 3, 40, 1_000])
    func closedForms(t: Double) {
        #expect(abs(StudentT.twoSided(t, freedom: 1) - (1 - 2 * atan(t) / Double.pi)) < 1e-12)
        #expect(abs(StudentT.twoSided(t, freedom: 2) - (1 - t / (2 + t * t).squareRoot())) < 1e-12)
    }

    @Test("constant samples differ fully or not at all")
    func constants() {
        #expect(StudentT.test([1, 1, 1], [1, 1]) == 1)
        #expect(StudentT.test([1, 1, 1], [2, 2]) == 0)
        #expect(StudentT.test([1], [2]) == 1)
    }
}

struct ChangePointTests {
    /// The formula of the statistic, pair by pair.
    private static func direct(_ x: ArraySlice<Double>, _ y: ArraySlice<Double>) -> Double {
        func pairs(_ values: ArraySlice<Double>) -> Double {
            var sum = 0.0
            for i in values.indices { for j in values.indices where j > i { sum += abs(values[i] - values[j]) } }
            return sum
        }
        let (n, m) = (Double(x.count), Double(y.count))
        var between = 0.0
        for a in x { for b in y { between += abs(a - b) } }
        let ofX = n > 1 ? 2 * m / (m + n) / (n - 1) * pairs(x) : 0
        let ofY = m > 1 ? 2 * n / (m + n) / (m - 1) * pairs(y) : 0
        return 2 / (m + n) * between - ofX - ofY
    }

    @Test("the best division is that of the direct formula", arguments: 0..<60)
    func bruteForce(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let length = Int.random(in: 2...24, using: &generator)
        let step = Int.random(in: 0..<length, using: &generator)
        let series = (0..<length).map { Double.random(in: 0...10, using: &generator) + ($0 < step ? 0 : 6) }
        let low = Int.random(in: 0...length - 2, using: &generator)
        let high = Int.random(in: low + 2...length, using: &generator)
        var best = -Double.infinity
        for tau in low + 1..<high {
            for kappa in tau + 1...high { best = max(best, Self.direct(series[low..<tau], series[tau..<kappa])) }
        }
        let found = try #require(EnergyStatistic(series[...]).best(in: low..<high))
        #expect(abs(found.value - best) < 1e-9)
        let reached = (found.index + 1...high).map { Self.direct(series[low..<found.index], series[found.index..<$0]) }
        #expect(abs((reached.max() ?? 0) - best) < 1e-9)
    }

    @Test("three levels have two change points")
    func levels() {
        let series = [0.3, 2.4, 1.5, -0.9, -0.5, 99.7, 98.3, 99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0]
        #expect(ChangePointSearch().changePoints(in: series).map(\.index) == [5, 8])
    }

    @Test("a long series has its change points in every window")
    func longSeries() {
        var generator = SeededGenerator(seed: 3)
        let steps = [70, 200, 330, 360]
        let series = (0..<400).map { place in
            100 + Double(steps.count { $0 <= place }) * 10 + Double.random(in: -2...2, using: &generator)
        }
        #expect(ChangePointSearch().changePoints(in: series).map(\.index) == steps)
    }

    @Test("one value that differs is no change point")
    func outlier() {
        var generator = SeededGenerator(seed: 5)
        var series = (0..<120).map { _ in 100 + Double.random(in: -1...1, using: &generator) }
        series[60] = 160
        #expect(ChangePointSearch().changePoints(in: series).isEmpty)
    }

    @Test("a change of less than the magnitude is none")
    func magnitude() {
        let series = (0..<60).map { (place: Int) -> Double in (place < 30 ? 100 : 101.5) + Double(place % 2) }
        #expect(ChangePointSearch().changePoints(in: series).map(\.index) == [30])
        #expect(ChangePointSearch(magnitude: 0.02).changePoints(in: series).isEmpty)
    }

    @Test("short and constant series have none", arguments: [[], [1], [1, 2], [5, 5, 5, 5, 5, 5]])
    func short(series: [Double]) {
        #expect(ChangePointSearch().changePoints(in: series).isEmpty)
    }
}
