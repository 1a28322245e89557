import GameprofAnalysis
import GameprofBasics
import GameprofCheck

/// What the tests of a package checked, as a result.
struct TestRun {
    /// The command that ran them.
    var command: [String]
    /// Every check, by the names of the tests.
    var checks: [TestFindings]
    /// `swift test` ended with 0.
    var hasPassed: Bool

    var result: CheckResult {
        var tests: [CheckResult.Scenario] = []
        for name in Set(checks.map(\.test)).sorted() { tests.append(test(name, checks.filter { $0.test == name })) }
        if !hasPassed, !tests.contains(where: { $0.outcome == .failed }) {
            tests.append(whole(.failed, "A test failed, but not because of a check of InstrumentationTesting."))
        } else if tests.isEmpty {
            tests.append(whole(.incomplete, "Not measured: no test that ran uses the product InstrumentationTesting."))
        }
        return CheckResult(scenarios: tests, subject: .tests)
    }

    /// One sentence for the terminal.
    var summary: String {
        guard !checks.isEmpty else {
            return "Not measured: no test that ran uses .leakFree, expectNoLeaks or another check of the product "
                + "InstrumentationTesting."
        }
        let tests = result.scenarios.filter { $0.name != Self.wholeName }
        let failing = tests.count { $0.outcome == .failed }
        return "\(NumberFormat.count(tests.count, "test")) checked \(NumberFormat.count(checks.count, "scope")); "
            + (failing == 0 ? "no check failed." : "failing tests: \(failing).")
    }

    private static let wholeName = "swift test"

    private func whole(_ outcome: CheckResult.Outcome, _ sentence: String) -> CheckResult.Scenario {
        .unrecorded(Self.wholeName, outcome: outcome, program: command, at: Self.place, because: sentence)
    }

    /// Where a code host shows what has no line of its own.
    private static let place = "Package.swift:1:1"

    private func test(_ name: String, _ checks: [TestFindings]) -> CheckResult.Scenario {
        let findings = checks.filter { $0.subject != .allocations }.flatMap { $0.report?.findings ?? [] }
            .filter { $0.severity == .error }
        var limits: [CheckResult.EvaluatedLimit] = []
        for check in checks {
            guard let limit = limit(check) else { continue }
            if let known = limits.firstIndex(where: { $0.measure == limit.measure }) {
                if limits[known].status == .passed { limits[known] = limit }
            } else {
                limits.append(limit)
            }
        }
        let failures = checks.compactMap(\.failure)
        let fails = !findings.isEmpty || !failures.isEmpty || limits.contains { $0.status == .failed }
        return CheckResult.Scenario(
            name: name, outcome: fails ? .failed : .passed, place: Self.place,
            target: Report.Target(
                executable: command[0], arguments: Array(command.dropFirst()),
                wallSeconds: TestFindings.seconds(of: checks)),
            instruments: Instrument.sorted(Set(checks.map(\.subject.instrument))), hasBaseline: false,
            findings: findings.map { .init(status: .new, fails: true, finding: $0) }, limits: limits, resolved: [],
            problems: failures)
    }

    /// A check that found nothing, or a count; findings and failures stand for themselves.
    private func limit(_ check: TestFindings) -> CheckResult.EvaluatedLimit? {
        if let count = check.count {
            let measure = count.type.map { "allocations of \($0)" } ?? "allocations"
            let figures = "\(measure): \(count.measured), at most \(count.limit)"
            return CheckResult.EvaluatedLimit(
                measure: measure, unit: .count, status: count.breach == nil ? .passed : .failed,
                measured: Double(count.measured), limit: Double(count.limit), message: count.breach ?? "\(figures).")
        }
        guard check.failure == nil, check.report == nil else { return nil }
        return CheckResult.EvaluatedLimit(
            measure: check.subject.rawValue, unit: .count, status: .passed, measured: 0, limit: 0,
            message: "No \(check.subject.rawValue).")
    }
}

extension TestFindings.Subject {
    fileprivate var instrument: Instrument {
        switch self {
        case .leaks: .leaks
        case .zombies: .zombies
        case .allocations: .allocations
        }
    }
}
