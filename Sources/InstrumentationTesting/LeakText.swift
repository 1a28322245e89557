import Profiler

/// What a failed expectation says.
enum LeakText {
    static func sentences(_ outcome: LeakSearch.Outcome) -> [String] {
        outcome.findings.map { finding in
            var text = FindingSummary.text(finding)
            if !outcome.others.isEmpty {
                text += "\nAt the same time ran: \(outcome.others.joined(separator: ", "))."
            }
            return text
        }
    }
}
