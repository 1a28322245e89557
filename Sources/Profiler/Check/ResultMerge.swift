import GameprofBasics

/// Why results could not be joined, as one sentence.
public struct ResultMergeError: Error, CustomStringConvertible, Equatable {
    public let description: String
}

extension CheckResult {
    /// The results of jobs that shared the scenarios of a budget as one, whatever their order. Throws `ResultMergeError` when
    /// one is missing or a scenario stands in two.
    public init(merging parts: [CheckResult]) throws {
        func refuse(_ sentence: String) -> ResultMergeError { ResultMergeError(description: sentence) }
        guard let first = parts.first else { throw refuse("There is no result to join.") }
        guard parts.allSatisfy({ $0.subject == first.subject }) else {
            throw refuse("Results of tests and of scenarios cannot be joined.")
        }
        if parts.contains(where: { $0.shard != nil }) {
            guard parts.allSatisfy({ $0.shard?.count == first.shard?.count }), let count = first.shard?.count else {
                throw refuse("The results are parts of different checks: their --shard has another number of parts.")
            }
            let missing = Set(1...count).subtracting(parts.compactMap(\.shard?.index)).sorted()
            guard missing.isEmpty else {
                let names = missing.map { "\($0)/\(count)" }.joined(separator: ", ")
                throw refuse("The result of the part \(names) is missing.")
            }
        }
        let all = parts.flatMap(\.scenarios)
        var names: Set<String> = []
        for scenario in all where !names.insert(scenario.name).inserted {
            throw refuse("The scenario \(PlainText.clean(scenario.name)) stands in two of the results.")
        }
        let sorted = all.map { ($0, $0.orderInBudget) }.sorted { $0.1 < $1.1 }
        self.init(scenarios: sorted.map(\.0), subject: first.subject)
    }
}

extension CheckResult.Scenario {
    /// File, line and name: as the budget has it.
    fileprivate var orderInBudget: (String, Int, String) {
        let parts = place?.split(separator: ":") ?? []
        guard parts.count > 2, let line = Int(parts[parts.count - 2]) else { return ("", 0, name) }
        return (parts.dropLast(2).joined(separator: ":"), line, name)
    }
}
