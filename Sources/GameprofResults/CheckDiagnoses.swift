import GameprofBasics
import GameprofCheck
import GameprofRendering
import GameprofReportModel

extension CheckResult {
    /// What fails, and the other findings as warnings and notes, for SARIF and annotations.
    public var diagnoses: [Diagnosis] {
        scenarios.flatMap { scenario in
            scenario.findings.map { scenario.diagnosis($0) } + scenario.failingLimits.map { scenario.diagnosis($0) }
                + scenario.problems.enumerated().map { scenario.diagnosis(problem: $1, number: $0 + 1) }
        }
    }

    /// The rules that `diagnoses` name.
    public static let rules =
        Finding.Kind.allCases.map { SARIFReport.Rule(id: $0.rawValue, summary: summary(of: $0)) } + [
            SARIFReport.Rule(id: "budget", summary: "A measure is beyond its limit."),
            SARIFReport.Rule(id: "run", summary: "The program did not run as expected, or was not recorded whole."),
        ]

    private static func summary(of kind: Finding.Kind) -> String {
        switch kind {
        case .retainCycle: "Objects hold each other and are never freed."
        case .leak: "Nothing refers to an object any more, but it is never freed."
        case .overRetain: "An object was retained more often than it was released."
        case .rawLeak: "Memory was allocated and never freed."
        case .zombie: "A deallocated object was used."
        case .growth: "Objects accumulate with every repetition."
        case .reachableCycle: "An object holds itself until something breaks the cycle."
        case .abandoned: "Objects live only through registrations that they own or made themselves."
        case .accumulation: "A collection retains much of the heap and grew to the end of the run."
        case .outlived: "An object lives although the program expected it to be deallocated."
        }
    }
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
            case .known: "known: \(finding.known ?? "?")"
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
            rule: "budget", severity: .error, message: "\(name): \(limit.message)",
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
