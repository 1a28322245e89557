import GameprofTrace

/// When the blocks of each stack were made, in events of the recording: allocations and frees.
struct StackBirths {
    private struct Row {
        var made: UInt64 = 0
        var freed: UInt64 = 0
        var first: UInt64 = .max
        var last: UInt64 = 0
        /// Frees of all stacks until the first and the last.
        var firstFrees: UInt64 = .max
        var lastFrees: UInt64 = 0
    }

    private var rows: [StackID: Row] = [:]
    private let end: UInt64

    init(_ allocations: AllocationSummary) {
        end = allocations.lastAllocation
        for entry in allocations.byStack where entry.lastEvent > 0 {
            // What came and went at once says nothing about what stays.
            rows[entry.stack] = Row(
                made: entry.counts.allocations - min(entry.counts.temporary, entry.counts.allocations),
                freed: entry.counts.frees - min(entry.counts.temporary, entry.counts.frees),
                first: entry.firstEvent, last: entry.lastEvent, firstFrees: entry.firstFrees, lastFrees: entry.lastFrees
            )
        }
    }

    /// Nothing is known: no stack accumulates.
    var isEmpty: Bool { rows.isEmpty }

    /// Whether blocks of these stacks came until the end of the run and stayed: hardly one was freed, and from the last
    /// to the end passed no more than `rest` times the events from the first to the last.
    func accumulate(_ stacks: Set<StackID>, rest: UInt64) -> Bool {
        guard let all = joined(stacks), all.last <= end else { return false }
        return all.freed <= all.made / 8 && (end - all.last) / rest <= all.last - all.first
    }

    /// Whether the program worked while they came: one that only builds frees next to nothing.
    func cameWithWork(_ stacks: Set<StackID>) -> Bool {
        guard let all = joined(stacks) else { return false }
        let frees = all.lastFrees - all.firstFrees
        let allocations = all.last - all.first - min(frees, all.last - all.first)
        return frees >= allocations / 2 && frees > 0
    }

    private func joined(_ stacks: Set<StackID>) -> Row? {
        var all = Row()
        for row in stacks.compactMap({ rows[$0] }) {
            all.made += row.made
            all.freed += row.freed
            all.first = min(all.first, row.first)
            all.last = max(all.last, row.last)
            all.firstFrees = min(all.firstFrees, row.firstFrees)
            all.lastFrees = max(all.lastFrees, row.lastFrees)
        }
        return all.made > 0 ? all : nil
    }
}
