import GameprofBasics
import GameprofTrace

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
            series[RepetitionNames.scenario(of: snapshot.begin.name), default: []].append(snapshot)
        }
        return series.sorted { $0.key < $1.key }.flatMap { candidates(of: $0.value, scenario: $0.key) }
    }

    /// Whether there is a series that is long enough to judge by.
    static func canEvaluate(_ snapshots: [HeapSnapshot]) -> Bool {
        RepetitionNames.showGrowth(snapshots.filter(isRepetition).map(\.begin.name))
    }

    private static func isRepetition(_ snapshot: HeapSnapshot) -> Bool {
        snapshot.begin.trigger != .atExit && RepetitionNames.isRepetition(snapshot.begin.name) && snapshot.end != nil
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
