import GameprofTrace

/// What of a running process is in the machine's memory, and what it is used for.
struct ProcessFootprint {
    let table: PageTable
    /// What the kernel counts for each mapping.
    let maps: [ResidentMapRecord]

    /// Asks for the pages anew: what the process has done since it runs again is missing.
    func facts(_ graph: BlockGraph, _ walk: MallocWalk, _ roots: ImageRoots) -> ResidentFacts {
        let heap = HeapPages(graph, table, walk)
        let stacks =
            roots.stacks.map { record(.stack, $0.range, $0.thread) }
            + roots.endedStacks.map { record(.endedStack, $0) }
        return ResidentFacts(
            maps: maps, ranges: heap.ranges + stacks.filter { $0.resident > 0 }, pinned: Array(heap.pinned.values),
            unused: UnusedCapacity.rows(graph, resident: resident) { _ in .none })
    }

    private func record(
        _ kind: ResidentRangeRecord.Kind, _ range: Range<UInt64>, _ thread: UInt32 = 0
    ) -> ResidentRangeRecord {
        ResidentRangeRecord(
            kind: kind, thread: ThreadID(rawValue: thread), start: range.lowerBound, end: range.upperBound,
            resident: resident(range))
    }

    private func resident(_ range: Range<UInt64>) -> UInt64 {
        ResidentRuns(table, range).bytes
    }
}
