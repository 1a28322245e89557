import GameprofAnalysis
import GameprofBasics

extension BudgetEvaluator {
    /// What a baseline has to hold for the recordings to pass: their findings, the measures beyond their limits and the
    /// totals. What they could not look for is kept as it was.
    public func accepting(_ first: Report, beside others: [Report] = []) -> Baseline.Scenario {
        let report = others.reduce(first) { $0.merged(with: $1) }
        var accepted = Baseline.Scenario()
        let instruments = report.capture.instruments
        for finding in report.findings
        where finding.severity == .error || (finding.severity == .warning && isLimited(finding)) {
            if let known = accepted.findings.firstIndex(where: { $0.signature == finding.signature }) {
                accepted.findings[known].count.add(clamping: finding.count)
            } else {
                accepted.findings.append(Baseline.Entry(finding))
            }
        }
        accepted.findings += (baseline?.findings ?? []).filter {
            !instruments.contains(Measure.findings(FindingFamily($0.kind)).instrument)
        }
        let measures = ReportMeasures(report: report)
        for limit in scenario.limits where limit.measure.isKept {
            if case .findings = limit.measure { continue }
            guard let measured = measures.value(limit.measure, counted: [:]), measured > limit.most else { continue }
            accepted.measures[limit.measure.name] = keep(measured, limit.measure)
        }
        for total in Self.totals {
            guard let measured = measures.value(total, counted: [:]) else { continue }
            accepted.measures[total.name] = keep(measured, total)
        }
        return accepted
    }

    /// The budget names its key.
    func isLimited(_ finding: Finding) -> Bool {
        scenario.limits.contains { $0.measure == .findings(FindingFamily(finding.kind)) }
    }

    /// A number within the tolerance stays as it was: an update without a reason changes no line.
    private func keep(_ measured: Double, _ measure: Measure) -> Double {
        if let before = baseline?.measures[measure.name],
            abs(before - measured) <= max(before * tolerance, measure.unit.slack)
        {
            return before
        }
        return (measured * 1000).rounded() / 1000
    }
}
