import GameprofBasics
import GameprofTrace

extension ComparisonReport {
    /// The figures of what both recordings have.
    static func figures(before: Recording, after: Recording, time: Weights?) -> [Figure] {
        // The same program takes a quarter more or less from one run to the next.
        var figures = time.map { [Figure(name: .time, unit: .nanoseconds, change: $0.total, isSingleRun: true)] } ?? []
        let recordings = [before, after]
        guard recordings.allSatisfy({ $0.program?.instruments.contains(.allocations) ?? false }) else { return figures }
        let (first, second) = (before.allocations.totals, after.allocations.totals)
        func add(_ name: Figure.Name, _ unit: MeasureUnit, _ figure: AllocationFigure) {
            let change = Change(before: first[figure], after: second[figure])
            let larger = Double(max(change.before, change.after))
            let isSmall = Double(change.difference.magnitude) <= max(larger * 0.01, unit.slack)
            let isChance = TypeComparison.isChance(figure, first, second)
            figures.append(Figure(name: name, unit: unit, change: change, isNoise: isSmall || isChance))
        }
        add(.live, .bytes, .liveBytes)
        add(.peak, .bytes, .peakBytes)
        add(.allocations, .count, .allocations)
        add(.bytes, .bytes, .bytes)
        add(.temporary, .count, .temporary)
        return figures
    }
}

extension [ComparisonReport.FindingRow] {
    /// The errors and warnings of two reports, by severity and signature. Nil: the instruments of one looked for none.
    public init?(before: Report, after: Report) {
        func searched(_ report: Report) -> Set<Instrument> {
            Set(
                report.capture.instruments.filter {
                    [.zombies, .files].contains($0) || $0 == .leaks && report.heap != nil
                })
        }
        let common = searched(before).intersection(searched(after))
        guard !common.isEmpty else { return nil }
        var rows: [String: ComparisonReport.FindingRow] = [:]
        func add(_ report: Report, _ side: WritableKeyPath<ComparisonReport.Change, UInt64>) {
            for finding in report.findings where finding.severity != .note {
                guard common.contains(finding.kind.instrument) else { continue }
                let key = finding.severity.rawValue + finding.signature
                var row =
                    rows[key]
                    ?? ComparisonReport.FindingRow(
                        kind: finding.kind, severity: finding.severity, title: finding.title,
                        signature: finding.signature)
                row.count[keyPath: side].add(clamping: UInt64(clamping: finding.count))
                row.bytes[keyPath: side].add(clamping: finding.bytes)
                rows[key] = row
            }
        }
        add(before, \.before)
        add(after, \.after)
        func order(_ row: ComparisonReport.FindingRow) -> (Finding.Severity, Int, String, String) {
            let place =
                row.count.before == 0 ? 0 : row.count.after == 0 ? 3 : row.count.difference > 0 ? 1 : 2
            return (row.severity, place, row.title, row.signature)
        }
        self = rows.values.sorted { order($0) < order($1) }
    }
}

extension Finding.Kind {
    /// That which looks for it.
    fileprivate var instrument: Instrument {
        switch self {
        case .zombie: .zombies
        case .descriptorLeak: .files
        case .retainCycle, .leak, .overRetain, .rawLeak, .growth, .reachableCycle, .outlived, .abandoned, .accumulation,
            .lostMapping, .unjoinedThread, .deinitialised:
            .leaks
        }
    }
}

/// How much of a difference of sampled time chance explains: twice the standard deviation of the number of samples.
struct SampleNoise {
    /// Weight of a sample; 0: the weights are exact.
    let sample: Double

    init(_ before: Profile, _ after: Profile) {
        let weights = [before, after].map { profile -> Double in
            let samples = profile.samples.filter { $0.kind == .computing }
            let total = samples.reduce(0.0) { $0 + Double($1.weight) }
            return samples.isEmpty ? 0 : total / Double(samples.map(\.count).clampedSum)
        }
        sample = after.unit == .nanoseconds ? weights.max() ?? 0 : 0
    }

    func explains(_ change: ComparisonReport.Change) -> Bool {
        guard sample > 0 else { return false }
        let samples = (Double(change.before) + Double(change.after)) / sample
        return Double(change.difference.magnitude) <= 2 * samples.squareRoot() * sample
    }
}
