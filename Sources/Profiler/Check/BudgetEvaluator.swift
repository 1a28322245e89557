import GameprofAnalysis
import GameprofBasics

/// Compares a report with a budget and a baseline.
public struct BudgetEvaluator: Sendable {
    public var scenario: Budget.Scenario
    /// What is accepted; nil: there is no baseline, or it does not know the scenario.
    public var baseline: Baseline.Scenario?
    public var tolerance: Double
    /// Whether the program has types that match a pattern; nil: nobody knows.
    public var knowsType: @Sendable (String) -> Bool?

    public init(
        scenario: Budget.Scenario, baseline: Baseline.Scenario? = nil, tolerance: Double = Budget.defaultTolerance,
        knowsType: @escaping @Sendable (String) -> Bool? = { _ in nil }
    ) {
        self.knowsType = knowsType
        self.scenario = scenario
        self.baseline = baseline
        self.tolerance = tolerance
    }

    /// Totals that a baseline keeps where the budget does not limit them.
    static let totals: [Measure] = [.memory(.allocations, type: nil), .memory(.peak, type: nil)]

    /// The verdict on the recordings of one scenario, which differ in their instruments and in which no row was left out.
    /// Each has to end as the scenario says.
    public func judge(_ first: Report, beside others: [Report] = []) -> CheckResult.Scenario {
        let report = others.reduce(first) { $0.merged(with: $1) }
        let limits = allLimits(for: report)
        var (findings, excess) = held(report.findings)
        var counted: [FindingFamily: Int] = [:]
        for index in findings.indices {
            let finding = findings[index].finding
            // A warning counts only where the budget names its key.
            if finding.severity == .warning, !isLimited(finding) { excess[index] = 0 }
            counted[FindingFamily(finding.kind), default: 0].add(clamping: excess[index])
        }
        let measures = ReportMeasures(report: report)
        var judged = limits.map { limit in
            let recordings = ([first] + others).filter { $0.capture.instruments.contains(limit.measure.instrument) }
            return judge(
                limit, measured: measures.value(limit.measure, counted: counted), in: report,
                isWhole: recordings.allSatisfy(isWhole))
        }
        judged += baselineOnly(measures, limits: limits)
        let failing = Set(
            zip(limits, judged).compactMap { limit, verdict -> FindingFamily? in
                guard case .findings(let family) = limit.measure, verdict.status == .failed else { return nil }
                return family
            })
        for index in findings.indices {
            findings[index].fails =
                failing.contains(FindingFamily(findings[index].finding.kind)) && excess[index] > 0
        }
        let failures = ([first] + others).reduce(into: [String]()) { sentences, recording in
            if let wrong = wrongEnd(recording), !sentences.contains(wrong) { sentences.append(wrong) }
        }
        let gaps = ([first] + others).flatMap(gaps)
        let fails = !failures.isEmpty || judged.contains { $0.status == .failed }
        let isShort = !gaps.isEmpty || judged.contains { $0.status == .unmeasured }
        var result = CheckResult.Scenario(
            name: scenario.name, outcome: fails ? .failed : isShort ? .incomplete : .passed, place: scenario.place,
            target: report.target,
            instruments: report.capture.instruments, hasBaseline: baseline != nil,
            findings: findings.filter(\.fails) + findings.filter { !$0.fails }, limits: judged,
            resolved: gaps.isEmpty ? resolved(report) : [], problems: failures + gaps)
        result.figures = report.figures
        return result
    }

    /// The limits of the budget, and those that hold without one: no leaks and no zombies where they were looked for.
    private func allLimits(for report: Report) -> [Budget.Limit] {
        let named = Set(scenario.limits.map(\.measure))
        let always = FindingFamily.allCases.filter(\.isLimitedAlways).map(Measure.findings)
            .filter { !named.contains($0) && report.capture.instruments.contains($0.instrument) }
        return scenario.limits + always.map { Budget.Limit(measure: $0, most: 0) }
    }

    /// The findings held against the baseline, and of each the instances that count against the budget. A defect that
    /// several processes have is several findings of one signature: together they may be as many as are accepted.
    private func held(_ findings: [Finding]) -> (judged: [CheckResult.EvaluatedFinding], excess: [Int]) {
        let totals = findings.reduce(into: [String: Int]()) {
            if $1.severity != .note { $0[$1.signature, default: 0].add(clamping: $1.count) }
        }
        let accepted = (baseline?.findings ?? []).reduce(into: [String: Int]()) {
            $0[$1.signature, default: 0].add(clamping: $1.count)
        }
        var free = accepted
        var excess: [Int] = []
        let judged = findings.map { finding in
            let entry = accepted[finding.signature]
            var judged = CheckResult.EvaluatedFinding(status: .new, fails: false, accepted: entry, finding: finding)
            if finding.severity == .note {
                judged.status = .known
            } else if let entry {
                // How much a run without marks grew depends on where its warm-up ends.
                let slack = finding.kind == .growth ? MeasureUnit.count.slack : 0
                let most = (Double(entry) * (1 + tolerance) + slack).rounded(.down)
                judged.status = Double(totals[finding.signature] ?? 0) > most ? .increased : .accepted
            }
            switch judged.status {
            case .new: excess.append(finding.count)
            case .increased:
                let taken = min(free[finding.signature] ?? 0, finding.count)
                free[finding.signature]? -= taken
                excess.append(finding.count - taken)
            case .accepted, .known: excess.append(0)
            }
            return judged
        }
        return (judged, excess)
    }

    /// Whether the recording holds all that was to be judged: a scenario that may end as it likes may be cut off by a signal.
    private func isWhole(_ report: Report) -> Bool {
        guard report.capture.dropped == 0 else { return false }
        guard report.target.exit?.signal == nil else { return scenario.exit == .any }
        return !report.capture.truncated
    }

    /// `isWhole`: otherwise what is within its limit was not measured to the end.
    private func judge(
        _ limit: Budget.Limit, measured: Double?, in report: Report, isWhole: Bool
    ) -> CheckResult.EvaluatedLimit {
        let unit = limit.measure.unit
        var judged = CheckResult.EvaluatedLimit(
            measure: limit.measure.name, unit: unit, status: .passed, measured: measured ?? 0, limit: limit.most,
            baseline: baseline?.measures[limit.measure.name], place: limit.place, message: "")
        guard let measured else {
            judged.status = .unmeasured
            judged.message = "\(judged.measure) was not measured: \(limit.measure.absence(from: report))."
            return judged
        }
        if let sentence = unknownType(limit.measure, measured, in: report) {
            judged.status = .unmeasured
            judged.message = sentence
            return judged
        }
        guard isWhole || measured > limit.most else {
            judged.status = .unmeasured
            judged.message = "\(judged.measure) was not measured completely: the recording is incomplete."
            return judged
        }
        let figures = "\(judged.measure) is \(unit.text(measured)), and the limit is \(unit.text(limit.most))"
        guard measured > limit.most else {
            judged.message = "\(figures)."
            if Self.totals.contains(limit.measure), let accepted = judged.baseline, measured > most(accepted, unit) {
                judged.status = .failed
                judged.message = "\(figures), but the baseline accepts \(unit.text(accepted)) only."
            }
            return judged
        }
        if let accepted = judged.baseline, measured <= most(accepted, unit) {
            judged.status = .accepted
            judged.message = "\(figures), the baseline accepts \(unit.text(accepted))."
        } else {
            judged.status = .failed
            judged.message =
                judged.baseline.map { "\(figures), and the baseline accepts \(unit.text($0)) only." } ?? "\(figures)."
        }
        return judged
    }

    /// A sentence when no type is called so: a slip of the pen would be within every limit.
    private func unknownType(_ measure: Measure, _ measured: Double, in report: Report) -> String? {
        let (types, recorded) = (measure.types, ReportMeasures(report: report))
        guard let type = types.last, types.allSatisfy({ recorded.hasType($0) == false }) else { return nil }
        if measure.type == nil, measured > 0 { return nil }
        let names = report.allocations?.byType.flatMap { [$0.type, ShortNames.strip($0.type)] } ?? []
        let near = NearestName.of(type.text, among: Set(names).sorted())
        let known = types.compactMap { knowsType($0.text) }
        let isKnown = known.isEmpty ? near == nil : known.contains(true)
        let hint = near.map { "; did you mean \($0)?" } ?? "."
        return isKnown ? nil : "\(measure.name) was not measured: no type of the program matches \(type.text)\(hint)"
    }

    private func baselineOnly(_ measures: ReportMeasures, limits: [Budget.Limit]) -> [CheckResult.EvaluatedLimit] {
        Self.totals.compactMap { measure in
            guard !limits.contains(where: { $0.measure == measure }), let accepted = baseline?.measures[measure.name],
                let measured = measures.value(measure, counted: [:])
            else { return nil }
            let unit = measure.unit
            let fails = measured > most(accepted, unit)
            let figures = "\(measure.name) is \(unit.text(measured)), in the baseline \(unit.text(accepted))"
            return CheckResult.EvaluatedLimit(
                measure: measure.name, unit: unit, status: fails ? .failed : .passed, measured: measured,
                baseline: accepted, message: "\(figures).")
        }
    }

    private func most(_ accepted: Double, _ unit: MeasureUnit) -> Double {
        accepted + max(accepted * tolerance, unit.slack)
    }

    private func resolved(_ report: Report) -> [Baseline.Entry] {
        let met = Set(report.findings.map(\.signature))
        return (baseline?.findings ?? []).filter { entry in
            let instrument = Measure.findings(FindingFamily(entry.kind)).instrument
            return !met.contains(entry.signature) && report.capture.instruments.contains(instrument)
        }
    }

    /// A sentence when the program exited with another code than it should. What a signal ended is incomplete.
    func wrongEnd(_ report: Report) -> String? {
        guard case .code(let expected) = scenario.exit else { return nil }
        guard let code = report.target.exit?.code, code != expected else { return nil }
        return "The program exited with code \(code), but \(expected) was expected."
    }

    /// Why the recording does not hold all that happened.
    private func gaps(_ report: Report) -> [String] {
        let lacksHeap = report.heap == nil && report.capture.instruments.contains(.leaks)
        guard !isWhole(report) || lacksHeap else { return [] }
        if !report.capture.problems.isEmpty { return report.capture.problems }
        if let signal = report.target.exit?.signal { return ["The program was ended by signal \(signal)."] }
        return [lacksHeap ? "Leaks were not searched for." : "The recording is incomplete."]
    }
}
