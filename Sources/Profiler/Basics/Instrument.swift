/// What is recorded. The raw value is its name on the command line, in reports and for the recorder.
public enum Instrument: String, CaseIterable, Codable, Sendable {
    case allocations, leaks, zombies, time, heap, files

    /// Those of the set, in the order of reports.
    package static func sorted(_ set: Set<Instrument>) -> [Instrument] { allCases.filter(set.contains) }
}
