import GameprofBasics
import GameprofReport

/// Several runs of two programs: what `gameprof diff` prints of folders of traces, and with `--repeat`.
public struct RepeatedComparison: Codable, Hashable, Sendable {
    public var schema = "gameprof-diff-repeat"
    public var version = 1
    /// Program and arguments, or the folder.
    public var before: String
    public var after: String
    /// How many there are of each side, or of the side that has fewer.
    public var runs: Int
    public var figures: [Figure]

    /// A number of each run.
    public struct Figure: Codable, Hashable, Sendable {
        public enum Name: String, Codable, Sendable {
            case cpu, resident
            case frameP50 = "frame-p50"
            case frameP95 = "frame-p95"
            case frameP99 = "frame-p99"
            case framesOverBudget = "frames-over-budget"
        }
        public enum Verdict: String, Codable, Sendable { case worse, better }

        public var name: Name
        /// The game loop; absent: of the whole program.
        public var loop: String?
        /// What its frames may take; absent where they are not counted by it.
        public var budgetNanoseconds: UInt64?
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
        public init?(
            _ name: Name, of loop: String? = nil, unit: MeasureUnit, before: [Double], after: [Double]
        ) {
            guard let test = MannWhitney(before, after), let old = median(before), let new = median(after) else {
                return nil
            }
            (self.name, self.loop, self.unit, self.before, self.after) = (name, loop, unit, before, after)
            (medianBefore, medianAfter, p) = (old, new, test.twoSided)
            ratio = old > 0 ? new / old : nil
            // A single frame more is chance.
            let least = name == .framesOverBudget ? max(1, Self.leastChange * old) : Self.leastChange * old
            if p < Self.significance, abs(new - old) > least { verdict = new > old ? .worse : .better }
        }
    }

    /// The figures that all runs have.
    public init(before: String, after: String, runs: (before: [RunFigures], after: [RunFigures])) {
        (self.before, self.after) = (before, after)
        self.runs = min(runs.before.count, runs.after.count)
        figures = []
        func add(
            _ name: Figure.Name, of loop: RunFigures.Loop? = nil, _ unit: MeasureUnit, _ value: (RunFigures) -> Double?
        ) {
            let (old, new) = (runs.before.compactMap(value), runs.after.compactMap(value))
            guard old.count == runs.before.count, new.count == runs.after.count,
                var figure = Figure(name, of: loop?.name, unit: unit, before: old, after: new)
            else { return }
            if name == .framesOverBudget { figure.budgetNanoseconds = loop?.budget }
            figures.append(figure)
        }
        for loop in runs.before.first?.loops ?? [] {
            func ofLoop(_ figure: KeyPath<RunFigures.Loop, UInt64>) -> (RunFigures) -> Double? {
                { run in run.loops.first { $0.name == loop.name }.map { Double($0[keyPath: figure]) } }
            }
            add(.frameP50, of: loop, .nanoseconds, ofLoop(\.durations.p50))
            add(.frameP95, of: loop, .nanoseconds, ofLoop(\.durations.p95))
            add(.frameP99, of: loop, .nanoseconds, ofLoop(\.durations.p99))
            add(.framesOverBudget, of: loop, .count, ofLoop(\.overBudget))
        }
        add(.cpu, .nanoseconds, \.cpu)
        add(.resident, .bytes, \.resident)
    }

    /// The run of each side in the middle by a figure that has a verdict, else by the first figure. Nil: there are no figures.
    public var middle: (before: Int, after: Int)? {
        func middle(_ values: [Double]) -> Int {
            values.indices.sorted { (values[$0], $0) < (values[$1], $1) }[(values.count - 1) / 2]
        }
        let figure = figures.first { $0.verdict != nil } ?? figures.first
        return figure.map { (middle($0.before), middle($0.after)) }
    }

    /// Whether CPU time, memory, or the 95th percentile of a loop is worse: each further figure that counts would be one more chance
    /// to be wrong.
    public var isWorse: Bool {
        figures.contains { $0.verdict == .worse && [.cpu, .resident, .frameP95].contains($0.name) }
    }

    private var heading: String {
        let sides = figures.first.map { [$0.before.count, $0.after.count] } ?? [runs, runs]
        return sides[0] == sides[1] ? "Medians of \(runs) runs each" : "Medians of \(sides[0]) and \(sides[1]) runs"
    }

    /// Ends without a newline.
    public var text: String {
        func row(_ name: String, _ columns: [String]) -> String {
            TextTable.left(name, 32) + columns.map { " " + TextTable.right($0, 11) }.joined()
        }
        return
            ([
                "Before: \(PlainText.clean(before))", "After:  \(PlainText.clean(after))", "\(heading):",
                row("", ["before", "after", "ratio", "p", ""]),
            ] + figures.map { row($0.label, $0.columns + [$0.verdict?.rawValue ?? "no verdict"]) })
            .joined(separator: "\n")
    }

    /// For the page.
    public var table: ComparisonPage.Runs {
        ComparisonPage.Runs(
            heading: heading,
            rows: figures.map { figure in
                .init(
                    name: figure.label, columns: figure.columns, verdict: figure.verdict?.rawValue,
                    isWorse: figure.verdict == .worse)
            })
    }
}

extension RepeatedComparison.Figure {
    fileprivate var label: String {
        let loop = PlainText.clean(String((loop ?? "").prefix(60)))
        return switch name {
        case .cpu: "CPU time"
        case .resident: "peak resident memory"
        case .frameP50: "\(loop), p50"
        case .frameP95: "\(loop), p95"
        case .frameP99: "\(loop), p99"
        case .framesOverBudget: "\(loop), over \(NumberFormat.nanoseconds(budgetNanoseconds ?? 0))"
        }
    }

    /// Both medians, their ratio and p.
    fileprivate var columns: [String] {
        [
            unit.text(medianBefore), unit.text(medianAfter), ratio.map { NumberFormat.fixed($0, 3) } ?? "–",
            NumberFormat.fixed(p, 4),
        ]
    }
}
