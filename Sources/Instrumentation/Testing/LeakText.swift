import GameprofReport

/// What a failed expectation says.
enum LeakText {
    /// Why nothing was found out; nil: the search is sound.
    static func problem(_ outcome: LeakSearch.Outcome) -> String? {
        outcome.problem.map { "\(outcome.subject.rawValue.capitalized) could not be checked: \($0)." }
    }

    /// Of an object that outlives its moment and is not lost.
    static func alive(_ type: Any.Type, _ outcome: LeakSearch.Outcome) -> String {
        let way = outcome.holders.isEmpty ? "something that can be reached" : outcome.holders.joined(separator: " → ")
        return "\(type) is still live, held by \(way)."
    }

    static func sentences(_ outcome: LeakSearch.Outcome) -> [String] {
        outcome.findings.map { finding in
            var text = FindingSummary.text(finding)
            if !outcome.makers.isEmpty {
                let makers = outcome.makers.sorted().joined(separator: ", ")
                text += "\nMade by \(makers), which ended before it could be seen."
            } else if !outcome.others.isEmpty {
                text += "\nAt the same time ran: \(outcome.others.joined(separator: ", "))."
            }
            return text
        }
    }
}
