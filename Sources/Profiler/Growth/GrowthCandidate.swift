import TraceFile

/// Blocks of one stack that accumulate.
struct GrowthCandidate: Sendable {
    var stack: StackID
    var type: TypeID
    /// Blocks that were added after the warm-up.
    var count: Int
    var bytes: UInt64
    /// Blocks that each repetition adds; nil: judged by the run as a whole.
    var perRepetition: Double?
    var repetitions: Int?
    /// The repeated scenario.
    var scenario: String?
}

/// Finds what accumulates from repetition to repetition: heap snapshots of one name, or of one name and a number
/// (`game #3`), are the states after each.
enum RepetitionGrowth {
    private struct Key: Hashable {
        var stack: StackID
        var type: TypeID
    }

    static func candidates(in snapshots: [HeapSnapshot]) -> [GrowthCandidate] {
        var series: [String: [HeapSnapshot]] = [:]
        for snapshot in snapshots where isRepetition(snapshot) {
            series[scenario(of: snapshot.begin.name), default: []].append(snapshot)
        }
        return series.sorted { $0.key < $1.key }.flatMap { candidates(of: $0.value, scenario: $0.key) }
    }

    /// Whether there is a series that is long enough to judge by.
    static func canJudge(_ snapshots: [HeapSnapshot]) -> Bool {
        canJudge(names: snapshots.filter(isRepetition).map(\.begin.name))
    }

    /// The same by the names of snapshots.
    static func canJudge(names: [String]) -> Bool {
        let scenarios = names.filter { !ownNames.contains($0) }.map(scenario)
        return Dictionary(grouping: scenarios) { $0 }.values.contains { $0.count > GrowthRule.fewestRepetitions + 1 }
    }

    /// Of snapshots that the recorder takes by itself, at the end, at intervals or on a signal: they follow no repetition.
    private static let ownNames: Set = ["exit", "interval", "request", ""]

    private static func isRepetition(_ snapshot: HeapSnapshot) -> Bool {
        snapshot.begin.trigger != .atExit && !ownNames.contains(snapshot.begin.name) && snapshot.end != nil
    }

    /// `game` of `game #3`.
    private static func scenario(of name: String) -> String {
        guard let mark = name.range(of: " #", options: .backwards), !name[mark.upperBound...].isEmpty,
            name[mark.upperBound...].allSatisfy(\.isNumber)
        else { return name }
        return String(name[..<mark.lowerBound])
    }

    private static func candidates(of series: [HeapSnapshot], scenario: String) -> [GrowthCandidate] {
        var counts: [Key: [UInt64]] = [:]
        var bytes: [Key: [UInt64]] = [:]
        for (position, snapshot) in series.enumerated() {
            for row in snapshot.census {
                let key = Key(stack: row.stack, type: row.type)
                counts[key, default: Array(repeating: 0, count: series.count)][position].add(clamping: row.count)
                bytes[key, default: Array(repeating: 0, count: series.count)][position].add(clamping: row.bytes)
            }
        }
        return counts.compactMap { key, counts in
            guard let rate = GrowthRule.repetitions(counts), let sizes = bytes[key] else { return nil }
            return GrowthCandidate(
                stack: key.stack, type: key.type, count: Int(clamping: counts[counts.count - 1] - counts[1]),
                bytes: sizes[sizes.count - 1] &- min(sizes[1], sizes[sizes.count - 1]), perRepetition: rate,
                repetitions: series.count, scenario: scenario)
        }.sorted { ($0.bytes, $1.stack) > ($1.bytes, $0.stack) }
    }
}
