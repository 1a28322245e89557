import GameprofRecording
import GameprofTraceFile

/// What of a running process is in the machine's memory, and what it is used for.
struct ProcessFootprint {
    /// Bytes of capacity for which a collection is named.
    private static let leastUnused: UInt64 = 64 << 10

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
            unused: unused(graph))
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

    /// By type.
    private func unused(_ graph: BlockGraph) -> [HeapCensusRecord] {
        var rows: [TypeID: HeapCensusRecord] = [:]
        graph.blocks.visitAll { block in
            guard block.size >= Self.leastUnused, let type = graph.type(of: block), let room = StorageRoom(block, type)
            else { return }
            let bytes = UInt64(room.unused * Double(resident(room.range)))
            guard bytes >= Self.leastUnused else { return }
            rows[type.id, default: HeapCensusRecord(type: type.id, stack: .none, count: 0, bytes: 0)].count += 1
            rows[type.id]?.bytes += bytes
        }
        return Array(rows.values)
    }
}
