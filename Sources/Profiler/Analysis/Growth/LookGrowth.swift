import GameprofBasics
import GameprofTrace

/// What grew from look to look at a process of which no allocation was recorded: objects that one field holds, by their number at
/// each look and by what holds them at the first and at the last.
struct LookGrowth {
    let recording: Recording
    let symbolicator: any Symbolicating

    /// Fewer show no course.
    private static let fewestLooks = 3
    /// So many new heights are enough.
    private static let steps = 4
    private static let columns = 32

    /// The rows, the largest growth first, and how many are left out.
    func rows() -> (rows: [Report.Grown], omitted: Int) {
        let looks = recording.heapSnapshots.filter { $0.unsoundReason == nil && !$0.census.isEmpty }
        guard looks.count >= Self.fewestLooks, let first = looks.first, let last = looks.last,
            let before = ComparedHeap(recording, first, symbolicator: symbolicator),
            let after = ComparedHeap(recording, last, symbolicator: symbolicator)
        else { return ([], 0) }
        let comparison = HeapComparisonBuilder.compare(before, after)
        let changes = Dictionary(comparison.types.map { ($0.type, $0) }) { first, _ in first }
        let levels = levels(of: looks)
        let thirds = RisingLevels.Thirds(of: looks.count)
        let grown = comparison.holders.filter { row in
            guard row.change.countAfter > row.change.countBefore, TypeName.isUsers(row.type),
                let levels = levels[row.type]
            else { return false }
            // What holds objects of a growing type, and none of the growth, has no row.
            let (own, all) = (difference(row.change), changes[row.type].map { difference($0.change) } ?? 0)
            guard 4 * own >= all else { return false }
            return RisingLevels(levels.counts, thirds).isGrowth(
                steps: min(Self.steps, looks.count - 1 - thirds.first))
        }
        let rows = grown.prefix(GrowthSection.rowLimit).map { row in
            let levels = levels[row.type] ?? ([], [])
            // What came and went is known of a type: of a holder's objects if they are all of it.
            let change = changes[row.type].flatMap {
                ($0.change.countBefore, $0.change.countAfter) == (row.change.countBefore, row.change.countAfter)
                    ? $0 : nil
            }
            var grown = Report.Grown(
                holder: row.holder, field: row.field, type: row.type,
                added: UInt64(max(0, change?.added ?? difference(row.change))),
                removed: UInt64(max(0, change?.removed ?? 0)), kept: UInt64(row.change.countAfter),
                bytes: row.change.retainedAfter, lastAddedSeconds: lastRise(of: levels.counts, looks),
                curve: (0..<Self.columns).map { levels.bytes[$0 * looks.count / Self.columns] })
            let share = Double(grown.bytes) / Double(max(1, comparison.after.bytes))
            grown.share = min(1, (share * 10_000).rounded() / 10_000)
            return grown
        }
        return (Array(rows), grown.count - rows.count)
    }

    private func difference(_ change: HeapComparison.Change) -> Int { change.countAfter - change.countBefore }

    /// By name of a type: objects and their bytes at each look.
    private func levels(of looks: [HeapSnapshot]) -> [String: (counts: [UInt64], bytes: [UInt64])] {
        let none = [UInt64](repeating: 0, count: looks.count)
        var result: [String: (counts: [UInt64], bytes: [UInt64])] = [:]
        for (place, look) in looks.enumerated() {
            for row in look.census {
                let name = TypeNames.name(row.type, in: recording.types)
                result[name, default: (none, none)].counts[place].add(clamping: row.count)
                result[name, default: (none, none)].bytes[place].add(clamping: row.bytes)
            }
        }
        return result
    }

    /// Seconds until the last look at which there were more than at the one before.
    private func lastRise(of levels: [UInt64], _ looks: [HeapSnapshot]) -> Double {
        let place = levels.indices.dropFirst().last { levels[$0] > levels[$0 - 1] } ?? 0
        return Seconds.of(looks[place].begin.time)
    }
}
