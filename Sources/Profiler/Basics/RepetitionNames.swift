/// Names of heap snapshots that were taken after the repetitions of a scenario: one name, or one name and a number
/// (`game #3`).
package enum RepetitionNames {
    /// Repetitions after the first, which is warm-up. Fewer are no evidence of growth.
    package static let fewest = 3

    /// Of snapshots that the recorder takes by itself, at the end, at intervals, on a signal or at a peak: they follow no
    /// repetition.
    private static let ownNames: Set = ["exit", "interval", "request", "peak", ""]

    /// Whether the program gave the snapshot its name.
    package static func isRepetition(_ name: String) -> Bool { !ownNames.contains(name) }

    /// `game` of `game #3`.
    package static func scenario(of name: String) -> String {
        guard let mark = name.range(of: " #", options: .backwards), !name[mark.upperBound...].isEmpty,
            name[mark.upperBound...].allSatisfy(\.isNumber)
        else { return name }
        return String(name[..<mark.lowerBound])
    }

    /// Whether one scenario among the names was repeated often enough to show growth.
    package static func showGrowth(_ names: [String]) -> Bool {
        let scenarios = names.filter(isRepetition).map(scenario)
        return Dictionary(grouping: scenarios) { $0 }.values.contains { $0.count > fewest + 1 }
    }
}
