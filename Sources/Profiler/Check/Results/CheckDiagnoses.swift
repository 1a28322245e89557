import GameprofAnalysis
import GameprofBasics
import GameprofReport

extension CheckResult {
    /// What fails, and other findings and what was not measured as warnings and notes, for SARIF and annotations.
    public var diagnoses: [Diagnosis] {
        scenarios.flatMap { scenario in
            scenario.findings.map { scenario.diagnosis($0) }
                + scenario.limits.filter { $0.status == .failed || $0.status == .unmeasured }.map {
                    scenario.diagnosis($0)
                }
                + scenario.problems.enumerated().map { scenario.diagnosis(problem: $1, number: $0 + 1) }
        }
    }

    /// The rules that `diagnoses` name.
    public static let rules =
        Finding.Kind.allCases.map { SARIFReport.Rule(id: $0.rawValue, summary: $0.summary) } + [
            SARIFReport.Rule(id: "budget", summary: "A measure is beyond its limit, or was not measured."),
            SARIFReport.Rule(id: "run", summary: "The program did not run as expected, or was not recorded whole."),
        ]
}

extension CheckResult.Scenario {
    fileprivate func diagnosis(_ judged: CheckResult.EvaluatedFinding) -> Diagnosis {
        let finding = judged.finding
        var result = Diagnosis(finding, orAt: ownPlace)
        let path = FindingPath.sentence(finding)
        if !path.isEmpty { result.message += " " + path }
        result.severity = judged.fails ? .error : finding.severity == .error ? .warning : finding.severity
        result.suppression =
            switch judged.status {
            case .accepted: "in the baseline"
            case .known: finding.known.map { "known: \($0)" } ?? "a note"
            case .new, .increased: nil
            }
        result.properties["scenario"] = name
        result.properties["status"] = judged.status.rawValue
        if let often = FindingText.frequency(judged, in: self) {
            result.message += " (\(often))"
            result.properties["seenIn"] = "\(judged.seenIn) of \(runs)"
        }
        return result
    }

    fileprivate func diagnosis(_ limit: CheckResult.EvaluatedLimit) -> Diagnosis {
        Diagnosis(
            rule: "budget", severity: limit.status == .failed ? .error : .warning, message: "\(name): \(limit.message)",
            place: limit.place.map(Diagnosis.Place.init(text:)) ?? ownPlace,
            fingerprint: fingerprint(limit.measure), properties: ["scenario": name, "measure": limit.measure])
    }

    fileprivate func diagnosis(problem: String, number: Int) -> Diagnosis {
        Diagnosis(
            rule: "run", severity: outcome == .failed ? .error : .warning, message: "\(name): \(problem)",
            place: ownPlace, fingerprint: fingerprint(number == 1 ? "run" : "run \(number)"),
            properties: ["scenario": name])
    }

    /// Where the budget names the scenario; without a budget the program, as a whole.
    private var ownPlace: Diagnosis.Place {
        place.map(Diagnosis.Place.init(text:)) ?? Diagnosis.Place(file: target.executable, line: 1)
    }

    private func fingerprint(_ what: String) -> String {
        var hash = StableHash()
        hash.combine("check")
        hash.combine(name)
        hash.combine(what)
        return hash.value.hexDigits
    }
}
