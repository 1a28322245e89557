import GameprofBasics
import GameprofTrace

/// What the resident pages of malloc's heaps are used for, chunk by chunk: about 20 ns for each.
struct HeapPages {
    private enum Use: Int {
        case live, binned, top, cached, own
    }

    private struct Page {
        var start: UInt64
        var isResident = false
        /// By use.
        var bytes = SIMD8<UInt64>()
    }

    private struct Maker: Hashable {
        var type: TypeID
        var stack: StackID
    }

    /// Blocks of a page that are looked at.
    private static let pageBlocks = 16

    private let graph: BlockGraph
    private let pages: ProcessFootprint.Pages
    private let stack: (BlockMap.Block) -> StackID
    private(set) var ranges: [ResidentRangeRecord] = []
    private var pinnedBy: [Maker: HeapCensusRecord] = [:]
    /// The pages of the heap that are in memory.
    private var resident = ResidentRuns([])
    private var range = ResidentRangeRecord(kind: .arena, start: 0, end: 0, resident: 0)
    private var page = Page(start: .max)
    /// Addresses of some that lie in it.
    private var blocks: [UInt64] = []
    private var window = MemoryImage.Window()

    init(
        _ graph: BlockGraph, _ pages: @escaping ProcessFootprint.Pages, _ walk: MallocWalk,
        stack: @escaping (BlockMap.Block) -> StackID
    ) {
        (self.graph, self.pages, self.stack) = (graph, pages, stack)
        guard graph.blocks.hasHeaders else {
            addOthers(walk.ownRanges)
            return
        }
        blocks.reserveCapacity(Self.pageBlocks)
        for heap in walk.heaps.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) { read(heap) }
        window = MemoryImage.Window()
        graph.memory.endPass()
        for block in walk.mappedBlocks {
            let bytes = pages(block).reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
            add(
                ResidentRangeRecord(
                    kind: .block, start: block.lowerBound, end: block.upperBound, resident: bytes,
                    use: HeapUse(live: bytes)))
        }
    }

    /// By type and stack: pages of which half is free, and that such blocks keep.
    var pinned: [HeapCensusRecord] { pinnedBy.values.sorted { ($0.type, $0.stack) < ($1.type, $1.stack) } }

    private mutating func add(_ range: ResidentRangeRecord) { if range.resident > 0 { ranges.append(range) } }

    /// Adds the memory of another malloc, of which only the live blocks are known.
    private mutating func addOthers(_ ranges: [Range<UInt64>]) {
        var live = Array(repeating: UInt64(0), count: ranges.count)
        graph.blocks.visitAll { block in
            let place = partition(0..<ranges.count) { ranges[$0].upperBound > block.start }
            if place < ranges.count, ranges[place].contains(block.start) { live[place] += block.size }
        }
        for (range, live) in zip(ranges, live) {
            let bytes = pages(range).reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
            add(
                ResidentRangeRecord(
                    kind: .arena, start: range.lowerBound, end: range.upperBound, resident: bytes,
                    use: HeapUse(live: min(live, bytes))))
        }
    }

    private mutating func read(_ heap: MallocWalk.HeapRange) {
        resident = ResidentRuns(pages(heap.range))
        page = Page(start: .max)
        range = ResidentRangeRecord(
            kind: .arena, start: heap.range.lowerBound, end: heap.range.upperBound, resident: 0, arena: heap.arena)
        count(heap.range.lowerBound, heap.first, .own)
        readChunks(heap.first, heap.range.upperBound)
        finishPage()
        add(range)
    }

    /// The word that says how long a chunk is. Chunks are asked for in ascending order.
    private mutating func size(_ chunk: UInt64) -> UInt64? {
        if window.pointer(chunk, 16) == nil { window = graph.memory.pass(chunk, count: 16) ?? MemoryImage.Window() }
        return window.pointer(chunk, 16)?.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }

    private mutating func readChunks(_ first: UInt64, _ end: UInt64) {
        let (header, least): (UInt64, UInt64) = (16, 32)
        var chunk = first
        while chunk < end {
            let length = end - chunk >= header ? (size(chunk) ?? 0) & ~7 : 0
            guard length >= least, length & 15 == 0, length <= end - chunk else {
                // The end of a heap, or a part that is damaged.
                let next = min(graph.blocks.firstStart(from: chunk + header + 16) &- header, end)
                count(chunk, next, .own)
                chunk = next
                continue
            }
            let next = chunk + length
            if graph.blocks.exact(chunk + header) != nil {
                // The page of the header is not the block's where that begins with a page.
                count(chunk, chunk + header, .live)
                count(chunk + header, chunk + least, .live)
                note(chunk + header)
                count(chunk + least, next, .live)
                if (next - 1) / PageTable.page != (chunk + header) / PageTable.page { note(chunk + header) }
            } else if next == end {
                count(chunk, next, .top)
            } else {
                let isInUse = end - next < header || (size(next) ?? 1) & 1 != 0
                count(chunk, next, isInUse ? .cached : .binned)
            }
            chunk = next
        }
    }

    private mutating func note(_ block: UInt64) {
        if blocks.count < Self.pageBlocks { blocks.append(block) }
    }

    private mutating func count(_ start: UInt64, _ end: UInt64, _ use: Use) {
        var at = start
        while at < end {
            let own = at & ~(PageTable.page - 1)
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
        defer { blocks.removeAll(keepingCapacity: true) }
        guard page.isResident else { return }
        func bytes(_ use: Use) -> UInt64 { page.bytes[use.rawValue] }
        range.resident += PageTable.page
        range.use.live += bytes(.live)
        range.use.binned += bytes(.binned)
        range.use.top += bytes(.top)
        range.use.cached += bytes(.cached)
        if bytes(.binned) == PageTable.page { range.use.trimmable += PageTable.page }
        guard bytes(.binned) >= PageTable.page / 2, let maker = mostFrequentMaker() else { return }
        let empty = HeapCensusRecord(type: maker.type, stack: maker.stack, count: 0, bytes: 0)
        pinnedBy[maker, default: empty].count += 1
        pinnedBy[maker]?.bytes += bytes(.binned)
    }

    /// Type and stack of most blocks of the page that were kept, of several the first; nil: there are none.
    private func mostFrequentMaker() -> Maker? {
        var counts: [Maker: Int] = [:]
        var most: (maker: Maker?, count: Int) = (nil, 0)
        for block in blocks.compactMap(graph.blocks.exact).map({ graph.blocks[$0] }) {
            let maker = Maker(type: graph.type(of: block)?.id ?? .none, stack: stack(block))
            let count = counts[maker, default: 0] + 1
            counts[maker] = count
            if count > most.count { most = (maker, count) }
        }
        return most.maker
    }
}

/// Pages that are in the machine's memory, by address.
private struct ResidentRuns {
    private let runs: [Range<UInt64>]
    /// The first that ends above what was asked for last.
    private var place = 0

    init(_ runs: [Range<UInt64>]) { self.runs = runs }

    /// Where memory is resident, from `address` on, which lies behind what was asked for before; `UInt64.max`: nowhere.
    mutating func next(from address: UInt64) -> UInt64 {
        while place < runs.count, runs[place].upperBound <= address { place += 1 }
        return place < runs.count ? max(runs[place].lowerBound, address) : .max
    }
}
