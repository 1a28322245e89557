import CTraceFormat
import GameprofBasics
import GameprofTrace

/// The frozen copy of a recorded process, or its image in a trace, and what the recorder knows of it: live blocks with their
/// stacks, where the program's words stand, and what is asked for.
struct FrozenClone {
    /// What the recorder's table says of a block.
    struct Entry {
        var size: UInt64
        var stack: StackID
    }

    let image: MemoryImage
    let blocks: BlockMap
    /// Where malloc has its memory.
    let malloc: MallocWalk
    let endedStacks: EndedStacks
    /// Words of the program outside of its blocks.
    let words: [gp_search_words]
    /// Threads that may be moving a reference.
    let running: Set<UInt32>
    /// Addresses of what streams of the C library have buffered.
    let buffers: [UInt64]
    let threadPointers: [(thread: UInt32, pointer: UInt64)]
    let places: RootPlaces
    var questions: HeapQuestions
    /// What of the process is in the machine's memory; nil: nobody knows.
    let footprint: ProcessFootprint?
    /// The live blocks by type and stack.
    let census: BlockCensus
    /// By block: size << 32 | stack << 4 | `GP_SEARCH_OF_*`; all bits of the size: it stands in `large`.
    private let entries: [UInt64]
    private let large: [Int: UInt64]

    /// - Parameters:
    ///   - image: the copy's memory.
    ///   - pages: those that are in the machine's memory; nil: nobody knows.
    ///   - growth: what snapshots of the process before have counted.
    ///   - next: what the copy says next (HeapSearch.h).
    /// - Throws: where that makes no sense.
    init(
        _ image: MemoryImage, pages: ProcessFootprint.Pages?, growth: GrowthOfProcesses = GrowthOfProcesses(),
        _ next: () throws -> HeapImageRecord
    ) throws {
        var smaps: [UInt8] = []
        var kernelTexts: [HeapImageRecord] = []
        var rows: [gp_search_words] = []
        var found: [gp_search_block] = []
        var questions = HeapQuestions(graph: .never)
        var census = BlockCensus()
        listening: while true {
            let message = try next()
            switch Int(message.kind) {
            case Int(GP_SEARCH_WORDS): rows += message.rows()
            case Int(GP_SEARCH_BLOCKS):
                found += message.rows()
                census.add(message)
            case Int(GP_SEARCH_SMAPS): smaps += message.bytes
            case Int(GP_SEARCH_EPOLL), Int(GP_SEARCH_URING), Int(GP_SEARCH_TIMERS): kernelTexts.append(message)
            case Int(GP_SEARCH_UNREAD): image.unread.add(sentence: String(decoding: message.bytes, as: UTF8.self))
            case Int(GP_SEARCH_BEGIN):
                questions.note(message)
                break listening
            default: questions.note(message)
            }
        }
        (self.image, self.census) = (image, census)
        KernelWords(kernelTexts).add(to: image)
        let mappings = MappingFacts(smaps: smaps)
        for range in mappings.uncopied {
            image.unread.add(memory: range, because: "kept from copies of the process, as MADV_DONTFORK asks")
        }
        let idle = IdleThreads(image, rows)
        words = idle.held(
            of: rows.filter { $0.kind < UInt32(GP_WORDS_BUFFER) && $0.start <= $0.end && $0.end <= 1 << 63 })
        running = Set(
            rows.lazy.filter { $0.kind == UInt32(GP_WORDS_RUNNING) || $0.kind == UInt32(GP_WORDS_WAITING) }
                .map(\.thread)
        ).subtracting(idle.idle)
        buffers = rows.lazy.filter { $0.kind == UInt32(GP_WORDS_BUFFER) }.map(\.start)
        threadPointers = rows.lazy.filter { $0.kind == UInt32(GP_WORDS_THREAD) }.map { ($0.thread, $0.start) }
        places = RootPlaces(rows, image)
        blocks = try questions.isOfOtherMalloc ? Self.blocksWithoutHeaders(image, found) : Self.blocks(image, found)
        let most = UInt64(UInt32.max)
        entries = found.map { min($0.size & GP_SEARCH_SIZE, most) << 32 | UInt64($0.maker) }
        large = Dictionary(
            found.enumerated().lazy.filter { $0.element.size & GP_SEARCH_SIZE >= most }.map {
                ($0.offset, $0.element.size & GP_SEARCH_SIZE)
            }, uniquingKeysWith: { $1 })
        let known = rows.compactMap(Self.range)
        malloc =
            questions.isOfOtherMalloc
            ? MallocWalk.others(
                image, blocks,
                own: known.filter { $0.kind == .allocator }.map { $0.start..<$0.end },
                programs: known.filter { $0.kind == .mapped }.map { $0.start..<$0.end })
            : MallocWalk.heaps(of: image, blocks)
        endedStacks = EndedStacks(
            image, EndedStacks.Layout(image, threadPointers),
            in: words.filter { $0.kind == UInt32(GP_ROOT_MAPPED) }.map { $0.start..<max($0.start, $0.end) },
            outside: malloc.ownRanges)
        let makers = Dictionary(
            rows.lazy.filter { $0.kind == UInt32(GP_WORDS_MAKER) }.map { ($0.start, StackID(rawValue: $0.thread)) },
            uniquingKeysWith: { $1 })
        let unjoined = Dictionary(
            endedStacks.unjoined.map { ($0.stack.lowerBound, makers[$0.handle] ?? .none) }, uniquingKeysWith: { $1 })
        let ended = endedStacks.ranges.map {
            let maker = unjoined[$0.lowerBound]
            return ResidentRangeRecord(
                kind: maker == nil ? .endedStack : .unjoinedStack, stack: maker ?? .none, start: $0.lowerBound,
                end: $0.upperBound, resident: 0)
        }
        let handles = Dictionary(threadPointers, uniquingKeysWith: { $1 })
        let ranges = known.filter { $0.kind != .allocator }.map { range in
            var range = range
            if range.kind == .stack {
                range.stack = handles[range.thread.rawValue].flatMap { makers[$0] } ?? .none
            }
            return range
        }
        footprint = pages.flatMap { pages in
            smaps.isEmpty ? nil : ProcessFootprint(pages: pages, maps: mappings.resident, ranges: ranges + ended)
        }
        let growing =
            questions.seeksPathsAlone
            ? []
            : growth.choose(
                census.rows, of: questions.process, name: questions.name, trigger: questions.trigger,
                isClass: { Self.metadata(image, census, $0).map { image.word($0) == 0 } ?? false })
        for row in growing {
            questions.growing.insert(
                HeapQuestions.Growing(
                    metadata: Self.metadata(image, census, row) ?? 0, stack: census.rows[row].stack))
        }
        self.questions = questions
    }

    private static func range(_ row: gp_search_words) -> ResidentRangeRecord? {
        guard row.kind & ~0xff == UInt32(GP_WORDS_RANGE), row.start < row.end,
            case let what = UInt8(truncatingIfNeeded: row.kind),
            let kind = ResidentRangeRecord.Kind(rawValue: what & UInt8(GP_RANGE_KINDS))
        else { return nil }
        let isMapped = kind == .mapped
        var range = ResidentRangeRecord(
            kind: kind, thread: ThreadID(rawValue: isMapped ? 0 : row.thread),
            stack: isMapped ? StackID(rawValue: row.thread) : .none, start: row.start, end: row.end, resident: 0)
        range.referrer = ResidentRangeRecord.Referrer(rawValue: what >> 4) ?? .notSearched
        return range
    }

    /// The metadata of a row's objects; nil: its blocks are no objects.
    private static func metadata(_ image: MemoryImage, _ census: BlockCensus, _ row: Int) -> UInt64? {
        census.rows[row].type.isNone ? nil : image.word(census.firstBlocks[row])
    }

    /// What malloc's header says: arrays use all of it.
    private static func usable(_ block: gp_search_block, _ image: MemoryImage) -> UInt64? {
        image.word(block.address &- 8).map { word in max(word & ~7, 16) - (word & 2 != 0 ? 16 : 8) }
    }

    private static let (longest, gap): (UInt64, UInt64) = (1 << 20, 1 << 16)

    /// The blocks of another malloc, each of which says how long it was made.
    private static func blocksWithoutHeaders(_ image: MemoryImage, _ found: [gp_search_block]) throws -> BlockMap {
        var regions = BlockMap.RegionsWithoutHeaders()
        var last: UInt64 = 0
        for block in found {
            let start = block.address & (1 << UInt64(GP_SEARCH_ADDRESS_BITS) - 1)
            let room = (block.address >> UInt64(GP_SEARCH_ADDRESS_BITS)) << 4
            let size = block.size & GP_SEARCH_SIZE
            guard start & 15 == 0, start >= max(last, 16), start <= image.userBits, size <= image.userBits - start
            else {
                throw SearchConnection.Broken()
            }
            last = start + (max(size, 1) + 15) & ~15 + room
            regions.add(start, size: size, room: room)
        }
        let map = BlockMap(regions.finish(), isExact: true)
        guard map.count == found.count else { throw SearchConnection.Broken() }
        return map
    }

    private static func blocks(_ image: MemoryImage, _ found: [gp_search_block]) throws -> BlockMap {
        var regions: [BlockMap.Region] = []
        var region: BlockMap.Region?
        var last: UInt64 = 0
        for (number, block) in found.enumerated() {
            let size = block.size & GP_SEARCH_SIZE
            guard block.address & 15 == 0, block.address >= max(last, 16), block.address <= image.userBits,
                size <= image.userBits - block.address
            else {
                throw SearchConnection.Broken()
            }
            last = block.address + max(size, 16)
            if size > longest {
                let next = number + 1 < found.count ? found[number + 1].address : .max
                let room = max(next, block.address) - block.address
                let usable = min(usable(block, image) ?? 0, size + gap, room)
                regions.append(BlockMap.Region(start: block.address, single: (max(size, usable) + 7) & ~7))
                continue
            }
            if let open = region, block.address > open.end, block.address - open.end > gap {
                regions.append(open)
                region = nil
            }
            if region == nil { region = BlockMap.Region(start: block.address) }
            let next = block.address + (size + 23) & ~15
            region?.add(
                block.address, next: next, isLive: true, isShort: next - 16 - block.address >= size)
        }
        if let region { regions.append(region) }
        let map = BlockMap(regions, isExact: true)
        guard map.count == found.count else { throw SearchConnection.Broken() }
        return map
    }

    /// Numbers of the blocks of the dynamic linker and of the recorder, which nothing that is searched names.
    var pinned: [Int] { entries.indices.filter { entries[$0] & 3 != 0 } }

    /// What the recorder's table says of a block.
    func entry(_ block: BlockMap.Block) -> Entry {
        let entry = entries[block.number]
        return Entry(
            size: large[block.number] ?? entry >> 32, stack: StackID(rawValue: UInt32(truncatingIfNeeded: entry) >> 4))
    }
}
