import GameprofBasics
import GameprofReport

/// Two programs, run in turn several times: what `gameprof diff --repeat` prints.
public struct RepeatedComparison: Codable, Hashable, Sendable {
    public var schema = "gameprof-diff-repeat"
    public var version = 1
    /// Program and arguments.
    public var before: String
    public var after: String
    /// Of each program.
    public var runs: Int
    public var figures: [Figure]

    /// A number of each run.
    public struct Figure: Codable, Hashable, Sendable {
        public enum Name: String, Codable, Sendable { case cpu, resident }
        public enum Verdict: String, Codable, Sendable { case worse, better }

        public var name: Name
        public var unit: MeasureUnit
        public var before: [Double]
        public var after: [Double]
        public var medianBefore: Double
        public var medianAfter: Double
        /// Of the medians; absent where the one before is 0.
        public var ratio: Double?
        /// Of the test of Mann and Whitney, two-sided.
        public var p: Double
        /// Absent: chance explains the difference, or it is small.
        public var verdict: Verdict?

        private static let (significance, leastChange) = (0.05, 0.03)

        /// Nil: there are no values.
        public init?(_ name: Name, unit: MeasureUnit, before: [Double], after: [Double]) {
            guard let test = MannWhitney(before, after), let old = median(before), let new = median(after) else {
                return nil
            }
            (self.name, self.unit, self.before, self.after) = (name, unit, before, after)
            (medianBefore, medianAfter, p) = (old, new, test.twoSided)
            ratio = old > 0 ? new / old : nil
            if p < Self.significance, abs(new - old) > Self.leastChange * old { verdict = new > old ? .worse : .better }
        }
    }

    public init(before: String, after: String, runs: Int, figures: [Figure]) {
        (self.before, self.after, self.runs, self.figures) = (before, after, runs, figures)
    }

    /// Ends without a newline.
    public var text: String {
        func row(_ name: String, _ columns: [String]) -> String {
            TextTable.left(name, 24) + columns.map { " " + TextTable.right($0, 11) }.joined()
        }
        return
            ([
                "Before: \(PlainText.clean(before))", "After:  \(PlainText.clean(after))",
                "Medians of \(runs) runs each, in turn:", row("", ["before", "after", "ratio", "p", ""]),
            ]
            + figures.map { figure in
                row(
                    figure.name == .cpu ? "CPU time" : "peak resident memory",
                    [
                        figure.unit.text(figure.medianBefore), figure.unit.text(figure.medianAfter),
                        figure.ratio.map { NumberFormat.fixed($0, 3) } ?? "–", NumberFormat.fixed(figure.p, 4),
                        figure.verdict?.rawValue ?? "no verdict",
                    ])
            }).joined(separator: "\n")
    }
}
