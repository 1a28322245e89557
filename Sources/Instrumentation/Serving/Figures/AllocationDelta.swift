/// What was allocated between two collections of a process's sampled blocks, by stack and type.
///
/// Keeps the highest sum of each pair that was seen: a block that was counted as live and as freed in one collection is not
/// counted again in the next. So the differences add up to what the recorder counted. Memory: some 60 bytes for each pair.
package struct AllocationDelta {
    package struct Row: Equatable {
        package var stack: UInt32
        package var type: String
        package var count: UInt64
        package var bytes: UInt64
    }

    private struct Place: Hashable {
        var stack: UInt32
        var type: String
    }

    private var highest: [Place: (count: UInt64, bytes: UInt64)] = [:]

    /// Nothing was allocated before the first collection.
    package init() {}

    /// Since the collection before. Rows of which nothing was allocated are left out.
    package mutating func next(_ heap: HeapFigures) -> [Row] {
        var rows: [Row] = []
        for row in heap.rows {
            let place = Place(stack: row.stack, type: row.type)
            let all = row.live + row.freed
            let before = highest[place] ?? (0, 0)
            let now = (count: max(before.count, all.wholeCount), bytes: max(before.bytes, all.wholeBytes))
            guard now != before else { continue }
            highest[place] = now
            rows.append(
                Row(
                    stack: row.stack, type: row.type, count: now.count - before.count, bytes: now.bytes - before.bytes))
        }
        return rows
    }
}
