import SeriesStatistics
import Testing

struct MannWhitneyTests {
    /// H. B. Mann, D. R. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than the Other",
    /// Annals of Mathematical Statistics 18 (1947), table I: probability of a U of at most 0, 1, 2 …
    @Test(
        "small samples have the published probabilities",
        arguments: [
            (3, 3, [0.050, 0.100, 0.200, 0.350, 0.500, 0.650]),
            (3, 4, [0.028, 0.057, 0.114, 0.200, 0.314, 0.429, 0.571]),
            (4, 4, [0.014, 0.029, 0.057, 0.100, 0.171, 0.243, 0.343, 0.443, 0.557]),
            (5, 5, [0.004, 0.008, 0.016, 0.028, 0.048, 0.075, 0.111, 0.155, 0.210, 0.274, 0.345, 0.421, 0.500, 0.579]),
        ])
    func publishedTable(n: Int, m: Int, table: [Double]) throws {
        for (u, published) in table.enumerated() {
            let (a, b) = Self.samples(n, m, u: u)
            let test = try #require(MannWhitney(a, b))
            #expect(test.u == Double(u) && test.isExact)
            #expect(abs(test.less - published) < 0.001)
        }
    }

    /// Samples without ties whose U is `u`: ranks of the second begin at the bottom, the last ones are moved up.
    private static func samples(_ n: Int, _ m: Int, u: Int) -> ([Double], [Double]) {
        var ranks = Array(1...m)
        var rest = u
        for place in stride(from: m - 1, through: 0, by: -1) {
            let step = min(rest, n)
            ranks[place] += step
            rest -= step
        }
        let second = Set(ranks)
        return ((1...n + m).filter { !second.contains($0) }.map(Double.init), ranks.map(Double.init))
    }

    @Test("probabilities with ties are those of all arrangements", arguments: 0..<40)
    func bruteForce(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let n = Int.random(in: 1...6, using: &generator)
        let m = Int.random(in: 1...6, using: &generator)
        let values = (0..<n + m).map { _ in Double(Int.random(in: 0...5, using: &generator)) }
        let test = try #require(MannWhitney(Array(values[..<n]), Array(values[n...])))
        func u(_ second: Set<Int>) -> Double {
            var sum = 0.0
            for y in second {
                for x in values.indices where !second.contains(x) {
                    sum += values[y] > values[x] ? 1 : values[y] == values[x] ? 0.5 : 0
                }
            }
            return sum
        }
        let all = (0..<(1 << (n + m))).filter { $0.nonzeroBitCount == m }
            .map { bits in u(Set(values.indices.filter { bits >> $0 & 1 == 1 })) }
        let observed = u(Set(n..<n + m))
        #expect(test.u == observed)
        #expect(abs(test.greater - Double(all.count { $0 >= observed }) / Double(all.count)) < 1e-12)
        #expect(abs(test.less - Double(all.count { $0 <= observed }) / Double(all.count)) < 1e-12)
    }

    /// Values of scipy.stats.mannwhitneyu(method="asymptotic", alternative="greater") 1.17.
    @Test("large samples have the probabilities of another implementation")
    func approximation() throws {
        let first = (0..<40).map { Double($0) }
        let shifted = try #require(MannWhitney(first, first.map { $0 + 7.5 }))
        #expect(!shifted.isExact && shifted.u == 1_072)
        #expect(abs(shifted.greater - 0.0044940035610694234) < 1e-12)
        let tied = try #require(MannWhitney((0..<40).map { Double($0 % 7) }, (0..<40).map { Double($0 % 9) }))
        #expect(tied.u == 948 && abs(tied.greater - 0.07631546199279432) < 1e-12)
    }

    @Test("samples without a difference are not significant")
    func equalSamples() throws {
        let test = try #require(MannWhitney([3, 3, 3], [3, 3, 3]))
        #expect(test.twoSided == 1 && test.greater == 1)
        let many = try #require(MannWhitney([Double](repeating: 1, count: 50), [Double](repeating: 1, count: 50)))
        #expect(many.twoSided == 1)
        #expect(MannWhitney([], [1]) == nil)
    }
}
