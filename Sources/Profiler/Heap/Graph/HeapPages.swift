import GameprofTrace

/// What the resident pages of malloc's heaps are used for, chunk by chunk.
struct HeapPages {
    private enum Use: Int {
        case live, binned, top, cached, own
    }

    private struct Page {
        var start: UInt64
        var isResident = false
        /// By use.
        var bytes: [UInt64] = [0, 0, 0, 0, 0]
        /// Some that lie in it.
        var blocks: [BlockMap.Block] = []
    }

    /// Blocks of a page that are looked at.
    private static let pageBlocks = 16

    private let graph: BlockGraph
    private let table: PageTable
    private(set) var ranges: [ResidentRangeRecord] = []
    /// By type: pages of which half is free, and that its blocks keep.
    private(set) var pinned: [TypeID: HeapCensusRecord] = [:]
    /// The pages of the heap that are in memory.
    private var resident: ResidentRuns
    private var range: ResidentRangeRecord
    private var page = Page(start: .max)

    init(_ graph: BlockGraph, _ table: PageTable, _ walk: MallocWalk) {
        (self.graph, self.table) = (graph, table)
        resident = ResidentRuns(table, 0..<0)
        range = ResidentRangeRecord(kind: .arena, start: 0, end: 0, resident: 0)
        for heap in walk.heaps { read(heap) }
        for block in walk.mappedBlocks {
            let runs = ResidentRuns(table, block)
            add(
                ResidentRangeRecord(
                    kind: .block, start: block.lowerBound, end: block.upperBound, resident: runs.bytes,
                    use: HeapUse(live: runs.bytes)))
        }
    }

    private mutating func add(_ range: ResidentRangeRecord) { if range.resident > 0 { ranges.append(range) } }

    private mutating func read(_ heap: MallocWalk.HeapRange) {
        resident = ResidentRuns(table, heap.range)
        page = Page(start: .max)
        range = ResidentRangeRecord(
            kind: .arena, start: heap.range.lowerBound, end: heap.range.upperBound, resident: 0, arena: heap.arena)
        count(heap.range.lowerBound, heap.first, .own)
        readChunks(heap.first, heap.range.upperBound)
        finishPage()
        add(range)
    }

    private mutating func readChunks(_ first: UInt64, _ end: UInt64) {
        let (header, least): (UInt64, UInt64) = (16, 32)
        var chunk = first
        while chunk < end {
            let size = (graph.memory.word(chunk + 8) ?? 0) & ~7
            // The end of a heap, or a part that is damaged.
            guard size >= least, size & 15 == 0, size <= end - chunk else { return count(chunk, end, .own) }
            let next = chunk + size
            if let number = graph.blocks.exact(chunk + header) {
                let block = graph.blocks[number]
                // The page of the header is not the block's where that begins with a page.
                count(chunk, chunk + header, .live)
                count(chunk + header, chunk + least, .live)
                note(block)
                count(chunk + least, next, .live)
                if (next - 1) / PageTable.page != (chunk + header) / PageTable.page { note(block) }
            } else if next == end {
                count(chunk, next, .top)
            } else {
                let isInUse = (graph.memory.word(next + 8) ?? 1) & 1 != 0
                count(chunk, next, isInUse ? .cached : .binned)
            }
            graph.memory.passed(chunk)
            chunk = next
        }
    }

    private mutating func note(_ block: BlockMap.Block) {
        if page.blocks.count < Self.pageBlocks { page.blocks.append(block) }
    }

    private mutating func count(_ start: UInt64, _ end: UInt64, _ use: Use) {
        var at = start
        while at < end {
            let own = at / PageTable.page * PageTable.page
            if own != page.start {
                finishPage()
                page = Page(start: own, isResident: resident.next(from: own) == own)
            }
            let next = min(own + PageTable.page, end)
            page.bytes[use.rawValue] += next - at
            at = next
            // A free chunk may be a reservation.
            if at < end, at == own + PageTable.page { at = min(resident.next(from: at), end) }
        }
    }

    private mutating func finishPage() {
        guard page.isResident else { return }
        func bytes(_ use: Use) -> UInt64 { page.bytes[use.rawValue] }
        range.resident += PageTable.page
        range.use.live += bytes(.live)
        range.use.binned += bytes(.binned)
        range.use.top += bytes(.top)
        range.use.cached += bytes(.cached)
        if bytes(.binned) == PageTable.page { range.use.trimmable += PageTable.page }
        guard bytes(.binned) >= PageTable.page / 2, let type = mostFrequentType() else { return }
        pinned[type, default: HeapCensusRecord(type: type, stack: .none, count: 0, bytes: 0)].count += 1
        pinned[type]?.bytes += bytes(.binned)
    }

    /// The type of most blocks of the page that were kept; nil: there are none.
    private func mostFrequentType() -> TypeID? {
        var counts: [TypeID: Int] = [:]
        for block in page.blocks { counts[graph.type(of: block)?.id ?? .none, default: 0] += 1 }
        return counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    }
}

/// Pages that are in the machine's memory, by address.
struct ResidentRuns {
    private let runs: [Range<UInt64>]
    /// The first that ends above what was asked for last.
    private var place = 0

    init(_ table: PageTable, _ range: Range<UInt64>) { runs = table.pages(in: range, which: .resident) ?? [] }

    var bytes: UInt64 { runs.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }

    /// Where memory is resident, from `address` on, which lies behind what was asked for before; `UInt64.max`: nowhere.
    mutating func next(from address: UInt64) -> UInt64 {
        while place < runs.count, runs[place].upperBound <= address { place += 1 }
        return place < runs.count ? max(runs[place].lowerBound, address) : .max
    }
}
