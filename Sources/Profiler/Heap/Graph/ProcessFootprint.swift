import GameprofTrace

/// What of a process is in the machine's memory, and what it is used for.
struct ProcessFootprint {
    /// Runs of the pages of a range that are in the machine's memory, by address.
    typealias Pages = (Range<UInt64>) -> [Range<UInt64>]

    let pages: Pages
    /// What the kernel counts for each mapping.
    let maps: [ResidentMapRecord]
    /// Parts of them that are known, but for malloc's; how much of each is in memory is not.
    var ranges: [ResidentRangeRecord] = []

    /// - Parameters:
    ///   - walk: where malloc's heaps are.
    ///   - stack: that made a block.
    func facts(_ graph: BlockGraph, _ walk: MallocWalk, stack: @escaping (BlockMap.Block) -> StackID = { _ in .none })
        -> ResidentFacts
    {
        let heap = HeapPages(graph, pages, walk, stack: stack)
        let known = ranges.map { range in
            var range = range
            range.resident = bytes(range.start..<range.end)
            return range
        }
        let unused = UnusedMemory(graph, resident: bytes, stack: stack)
        return ResidentFacts(
            maps: maps,
            ranges: heap.ranges
                + known.filter { $0.resident > 0 || $0.kind == .mapped || $0.kind == .unjoinedStack },
            pinned: heap.pinned,
            unused: unused.capacity, untouched: unused.untouched)
    }

    private func bytes(_ range: Range<UInt64>) -> UInt64 {
        pages(range).reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
    }
}

extension PageTable {
    /// Asks for the pages anew: what the process has done since it runs again is missing.
    var residentPages: ProcessFootprint.Pages { { self.pages(in: $0, which: .resident) ?? [] } }
}
