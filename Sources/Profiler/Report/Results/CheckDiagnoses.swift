extension CheckResult {
    /// What fails, and the other findings as warnings and notes, for SARIF and annotations.
    public var diagnoses: [Diagnosis] {
        scenarios.flatMap { scenario in
            scenario.findings.map { scenario.diagnosis($0) } + scenario.failingLimits.map { scenario.diagnosis($0) }
                + scenario.problems.map { scenario.diagnosis(problem: $0) }
        }
    }

    /// The rules that `diagnoses` name.
    public static let rules = [
        SARIFReport.Rule(id: "retain-cycle", summary: "Objects hold each other and are never freed."),
        SARIFReport.Rule(id: "leak", summary: "Nothing refers to an object any more, but it is never freed."),
        SARIFReport.Rule(id: "over-retain", summary: "An object was retained more often than it was released."),
        SARIFReport.Rule(id: "raw-leak", summary: "Memory was allocated and never freed."),
        SARIFReport.Rule(id: "zombie", summary: "A deallocated object was used."),
        SARIFReport.Rule(id: "growth", summary: "Objects accumulate with every repetition."),
        SARIFReport.Rule(id: "reachable-cycle", summary: "An object holds itself until something breaks the cycle."),
        SARIFReport.Rule(id: "budget", summary: "A measure is beyond its limit."),
        SARIFReport.Rule(id: "run", summary: "The program did not run as expected, or was not recorded whole."),
    ]
}

extension CheckResult.Scenario {
    fileprivate func diagnosis(_ judged: CheckResult.JudgedFinding) -> Diagnosis {
        let finding = judged.finding
        var result = Diagnosis(finding)
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
        return result
    }

    fileprivate func diagnosis(_ limit: CheckResult.JudgedLimit) -> Diagnosis {
        Diagnosis(
            rule: "budget", severity: .error, message: "\(name): \(limit.message)",
            fingerprint: fingerprint(limit.measure), properties: ["scenario": name, "measure": limit.measure])
    }

    fileprivate func diagnosis(problem: String) -> Diagnosis {
        Diagnosis(
            rule: "run", severity: outcome == .failed ? .error : .warning, message: "\(name): \(problem)",
            fingerprint: fingerprint("run"), properties: ["scenario": name])
    }

    private func fingerprint(_ what: String) -> String {
        var hash = StableHash()
        hash.combine("check")
        hash.combine(name)
        hash.combine(what)
        return hash.value.hexDigits
    }
}
