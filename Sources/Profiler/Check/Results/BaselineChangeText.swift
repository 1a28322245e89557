import GameprofBasics

/// What an update of the baseline accepts, and what fails all the same, in sentences.
public enum BaselineChangeText {
    /// - Parameters:
    ///   - before: what was accepted; nil: nothing.
    ///   - verdict: on the recording, with `after` as the baseline.
    public static func sentences(
        _ before: Baseline.Scenario?, _ after: Baseline.Scenario, verdict: CheckResult.Scenario
    ) -> [String] {
        let before = before ?? Baseline.Scenario()
        var sentences = findings(before, after) + measures(before, after, verdict)
        if sentences.isEmpty { sentences = ["nothing changes"] }
        let failing =
            verdict.failingLimits.map(\.message) + verdict.problems
            + verdict.limits.filter { $0.status == .unmeasured }.map(\.message)
        return (sentences.map { "the baseline: \($0)." } + failing.map { "not accepted by a baseline: \($0)" })
            .map { "\(verdict.name), \($0)" }
    }

    private static func findings(_ before: Baseline.Scenario, _ after: Baseline.Scenario) -> [String] {
        var sentences: [String] = []
        for entry in after.findings {
            let known = before.findings.first { $0.signature == entry.signature }
            if known?.count == entry.count { continue }
            let instead = known.map { " instead of \($0.count)" } ?? ""
            sentences.append("accepts \(entry.count)\(instead) × \(name(entry))")
        }
        let kept = Set(after.findings.map(\.signature))
        return sentences
            + before.findings.filter { !kept.contains($0.signature) }.map { "no longer lists \(name($0))" }
    }

    private static func measures(
        _ before: Baseline.Scenario, _ after: Baseline.Scenario, _ verdict: CheckResult.Scenario
    ) -> [String] {
        func text(_ measure: String, _ value: Double) -> String {
            verdict.limits.first { $0.measure == measure }?.unit.text(value) ?? NumberFormat.fixed(value, 0)
        }
        var sentences: [String] = []
        for name in Set(before.measures.keys).union(after.measures.keys).sorted() {
            switch (before.measures[name], after.measures[name]) {
            case (let old?, let new?) where old != new:
                sentences.append("accepts \(name) of \(text(name, new)) instead of \(text(name, old))")
            case (nil, let new?): sentences.append("accepts \(name) of \(text(name, new))")
            case (.some, nil): sentences.append("no longer lists \(name)")
            default: continue
            }
        }
        return sentences
    }

    private static func name(_ entry: Baseline.Entry) -> String {
        "\(entry.title) [\(entry.signature.prefix(8))]"
    }
}
