import GameprofAnalysis
import GameprofBasics

extension CheckResult {
    /// A number of a scenario, whatever the budget limits: what a history keeps.
    public struct Figure: Codable, Hashable, Sendable {
        /// `allocations`, `peak`, `cpu`, `leaked-bytes`, `frames/game/p95` …
        public var measure: String
        public var unit: MeasureUnit
        /// Of each run.
        public var values: [Double]
    }
}

extension Report {
    /// Totals of memory, CPU time, and the durations of frames and of the longest probes.
    var figures: [CheckResult.Figure] {
        var result: [CheckResult.Figure] = []
        func add(_ name: String, _ unit: MeasureUnit, _ value: Double) {
            result.append(CheckResult.Figure(measure: name, unit: unit, values: [value]))
        }
        let measures = ReportMeasures(report: self)
        func add(_ measure: Measure) {
            if let value = measures.value(measure, counted: [:]) { add(measure.name, measure.unit, value) }
        }
        for figure in [Measure.MemoryFigure.allocations, .allocatedBytes, .live, .liveBytes, .peak, .temporary] {
            add(.memory(figure, type: nil))
        }
        if let heap { add("leaked-bytes", .bytes, Double(heap.leakedBytes)) }
        if let hotspots { add("cpu", .nanoseconds, hotspots.cpuSeconds * 1e9) }
        for loop in (frames ?? []).prefix(8) {
            for figure in [Measure.ProbeFigure.p50, .p95, .p99, .allocations] { add(.frame(loop.name, figure)) }
        }
        for probe in (probes ?? []).prefix(16) { add(.probe(probe.name, .p95)) }
        var names: Set<String> = []
        return result.filter { names.insert($0.measure).inserted }
    }
}

extension [CheckResult.Figure] {
    /// Of several runs, those that all of them have.
    init(runs: [[CheckResult.Figure]]) {
        self = (runs.first ?? []).compactMap { figure in
            let each = runs.compactMap { run in run.first { $0.measure == figure.measure }?.values }
            guard each.count == runs.count else { return nil }
            return CheckResult.Figure(measure: figure.measure, unit: figure.unit, values: each.flatMap { $0 })
        }
    }
}
