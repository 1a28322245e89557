import GameprofAnalysis

extension Diagnosis {
    /// A static finding.
    public init(_ entry: Analysis.Entry) {
        let suspect = entry.suspect
        var properties = ["confidence": suspect.confidence.rawValue]
        if let verdict = entry.verdict { properties["verdict"] = verdict.status.rawValue }
        var message = suspect.message
        if let verdict = entry.verdict, verdict.status == .confirmed { message += " Confirmed: \(verdict.explanation)" }
        self.init(
            rule: suspect.rule, severity: entry.severity, message: message, fix: suspect.fix,
            place: Place(file: suspect.file, line: suspect.line, column: suspect.column),
            fingerprint: suspect.fingerprint, suppression: entry.silencedBy, properties: properties)
        isSuppressedInSource = entry.suspect.ignored != nil
    }
}
