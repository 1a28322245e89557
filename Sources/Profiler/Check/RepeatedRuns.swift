import GameprofAnalysis

extension BudgetEvaluator {
    /// The verdict on several runs of the scenario, each with its recordings. An error that occurs in one run fails: a leak
    /// that is there now and then is a defect. A warning fails that counts in more than half of the runs. Of other measures
    /// the median is judged, the larger of the middle two.
    public func judge(runs: [[Report]]) -> CheckResult.Scenario {
        let runs = runs.filter { !$0.isEmpty }
        let verdicts = runs.map { judge($0[0], beside: Array($0.dropFirst())) }
        guard verdicts.count > 1, var result = verdicts.first else {
            return verdicts.first
                ?? .unrecorded(scenario.name, program: scenario.program, because: "Nothing was recorded.")
        }
        result.runs = verdicts.count
        result.target.wallSeconds = verdicts.reduce(0) { $0 + $1.target.wallSeconds }
        result.limits = limits(of: verdicts)
        result.findings = findings(of: verdicts, limits: result.limits)
        result.resolved = result.resolved.filter { entry in verdicts.allSatisfy { $0.resolved.contains(entry) } }
        result.problems = problems(of: verdicts)
        result.figures = [CheckResult.Figure](runs: verdicts.map { $0.figures ?? [] })
        let fails = runs.joined().contains { wrongEnd($0) != nil } || !result.failingLimits.isEmpty
        let isShort =
            verdicts.contains { $0.outcome == .incomplete } || result.limits.contains { $0.status == .unmeasured }
        result.outcome = fails ? .failed : isShort ? .incomplete : .passed
        return result
    }

    /// What a baseline has to hold for the runs to pass: of each finding the most instances of a run, of measures the median.
    public func accepting(runs: [[Report]]) -> Baseline.Scenario {
        let each = runs.filter { !$0.isEmpty }.map { accepting($0[0], beside: Array($0.dropFirst())) }
        guard each.count > 1, var result = each.first else { return each.first ?? Baseline.Scenario() }
        for entry in each.dropFirst().flatMap(\.findings) {
            if let known = result.findings.firstIndex(where: { $0.signature == entry.signature }) {
                result.findings[known].count = max(result.findings[known].count, entry.count)
            } else {
                result.findings.append(entry)
            }
        }
        for name in Set(each.flatMap(\.measures.keys)) {
            let values = each.compactMap { $0.measures[name] }.sorted()
            result.measures[name] = values[values.count / 2]
        }
        return result
    }

    private func limits(of verdicts: [CheckResult.Scenario]) -> [CheckResult.EvaluatedLimit] {
        verdicts[0].limits.indices.compactMap { index in
            let name = verdicts[0].limits[index].measure
            let each = verdicts.compactMap { verdict in verdict.limits.first { $0.measure == name } }
            guard var judged = judged(each, family: FindingFamily(rawValue: name)) else { return nil }
            judged.measuredEach = each.map(\.measured)
            return judged
        }
    }

    private func judged(
        _ each: [CheckResult.EvaluatedLimit], family: FindingFamily?
    ) -> CheckResult.EvaluatedLimit? {
        let sorted = each.filter { $0.status != .unmeasured }.sorted { $0.measured < $1.measured }
        let failing = sorted.filter { $0.status == .failed }
        if let family {
            let isEnough = family.isLimitedAlways ? !failing.isEmpty : failing.count * 2 > each.count
            if isEnough { return failing.last }
            if let unmeasured = each.first(where: { $0.status == .unmeasured }) { return unmeasured }
            return sorted.last { $0.status != .failed } ?? sorted.last
        }
        return each.first { $0.status == .unmeasured } ?? (sorted.isEmpty ? nil : sorted[sorted.count / 2])
    }

    private func findings(
        of verdicts: [CheckResult.Scenario], limits: [CheckResult.EvaluatedLimit]
    ) -> [CheckResult.EvaluatedFinding] {
        let failing = Set(limits.filter { $0.status == .failed }.map(\.measure))
        var found: [CheckResult.EvaluatedFinding] = []
        for one in verdicts.flatMap(\.findings) {
            guard let known = found.firstIndex(where: { $0.finding.signature == one.finding.signature }) else {
                found.append(one)
                continue
            }
            let other = found[known]
            let isWorse = one.fails == other.fails ? one.finding.count > other.finding.count : one.fails
            if isWorse { found[known] = one }
        }
        for index in found.indices {
            let one = found[index]
            found[index].seenIn = verdicts.count { verdict in
                verdict.findings.contains { $0.finding.signature == one.finding.signature }
            }
            found[index].fails = one.fails && failing.contains(FindingFamily(one.finding.kind).rawValue)
        }
        return found.filter(\.fails) + found.filter { !$0.fails }
    }

    private func problems(of verdicts: [CheckResult.Scenario]) -> [String] {
        var sentences: [String] = []
        for (number, verdict) in verdicts.enumerated() {
            for problem in verdict.problems {
                let isOfAll = verdicts.allSatisfy { $0.problems.contains(problem) }
                let sentence = isOfAll ? problem : "Run \(number + 1): \(problem)"
                if !sentences.contains(sentence) { sentences.append(sentence) }
            }
        }
        return sentences
    }
}
