import GameprofBasics

/// Walks the heaps of glibc's malloc in an image and tells live chunks from free ones.
struct MallocWalk {
    private enum Chunk {
        static let least: UInt64 = 32
        /// Flags in the size word.
        static let (previousInUse, isMapped, mask): (UInt64, UInt64, UInt64) = (1, 2, 7)
    }
    /// `HEAP_MAX_SIZE` and `heap_info` of malloc/arena.c.
    private enum Heap {
        static let most: UInt64 = 64 << 20
        static let (arena, previous, size): (UInt64, UInt64, UInt64) = (0, 8, 16)
    }
    /// `tcache_perthread_struct` of malloc/malloc.c since 2.30: counts of 16 bits, then as many lists. By the chunk's size.
    private enum ThreadCache {
        static let bins: [UInt64: UInt64] = [0x290: 64, 0x300: 76, 0x310: 76]
        /// Those for one size; the others are for sizes up to a power of two.
        static let smallBins: UInt64 = 64
    }

    /// Memory that an arena has for its chunks.
    struct HeapRange {
        /// Its address; 0: the main one.
        var arena: UInt64
        var range: Range<UInt64>
        /// Where the first chunk begins.
        var first: UInt64
        /// Where the last one does that may be a block.
        var top: UInt64
    }

    private let image: MemoryImage
    private let state: MallocState
    private let mainArena: UInt64
    private var regions: [BlockMap.Region] = []
    /// Live blocks as large as a thread's cache, and how many bins it has.
    private var caches: [(block: UInt64, bins: UInt64)] = []
    private var ranges: [Range<UInt64>] = []
    /// The states of the arenas, which name chunks without owning them.
    private var states: [Range<UInt64>] = []
    /// User addresses of chunks that lie in lists of free ones although the chunk behind says that they are in use.
    private var listed: Set<UInt64> = []
    private(set) var arenas: [UInt64] = []
    private(set) var heaps: [HeapRange] = []
    /// Chunks that malloc mapped one by one.
    private(set) var mappedBlocks: [Range<UInt64>] = []
    private(set) var freeBytes: UInt64 = 0
    /// All that is malloc's own, by address; no range overlaps another.
    var ownRanges: [Range<UInt64>] {
        var result: [Range<UInt64>] = []
        for range in (ranges + states).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound < last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
    /// Sentences.
    private(set) var problems: [String] = []

    /// There may be no blocks. Nil: glibc's malloc was not found, or has none.
    /// - Throws: there are too many.
    static func blocks(of image: MemoryImage) throws(MemoryImageError) -> (map: BlockMap, walk: MallocWalk)? {
        guard let main = mainArena(of: image) else { return nil }
        var walk = MallocWalk(image: image, state: main.state, mainArena: main.address)
        walk.run()
        let map = BlockMap(walk.regions, free: Array(walk.listed))
        if main.isUnused {
            walk.problems.append("There are no blocks: the program has not called malloc.")
        } else if map.count == 0 {
            return nil
        }
        guard map.count < UInt32.max else { throw MemoryImageError("The process has more than four billion blocks.") }
        (walk.regions, walk.listed) = ([], [])
        return (map, walk)
    }

    /// The heaps and the blocks outside of them, where the blocks are known already. Without glibc's state each mapping with blocks
    /// is a heap of the main arena.
    static func heaps(of image: MemoryImage, _ blocks: BlockMap) -> MallocWalk {
        let main = mainArena(of: image)
        var walk = MallocWalk(image: image, state: main?.state ?? MallocState.known[0], mainArena: main?.address ?? 0)
        if main != nil { walk.findHeaps(startsAtMapping: true) }
        walk.addOthers(blocks)
        walk.ranges = walk.heaps.map(\.range) + walk.mappedBlocks
        return walk
    }

    /// Another malloc's memory: what it mapped, and the mappings of blocks, but for what the program mapped itself beside.
    static func others(
        _ image: MemoryImage, _ blocks: BlockMap, own: [Range<UInt64>], programs: [Range<UInt64>]
    ) -> MallocWalk {
        var walk = MallocWalk(image: image, state: MallocState.known[0], mainArena: 0)
        var found = own
        var end: UInt64 = 0
        blocks.visitAll { block in
            guard block.start >= end else { return }
            if let known = own.first(where: { $0.contains(block.start) }) {
                end = known.upperBound
            } else if let mapping = image.mapping(at: block.start) {
                found.append(mapping.start..<mapping.end)
                end = mapping.end
            }
        }
        let programs = programs.sorted { $0.lowerBound < $1.lowerBound }
        walk.ranges = found.flatMap { range in
            var left: [Range<UInt64>] = []
            var at = range.lowerBound
            for program in programs where program.overlaps(range) {
                if at < program.lowerBound { left.append(at..<program.lowerBound) }
                at = max(at, program.upperBound)
            }
            if at < range.upperBound { left.append(at..<range.upperBound) }
            return left
        }
        return walk
    }

    /// Memory in which only objects can be told apart.
    static func ofObjects(_ image: MemoryImage, in memory: [Range<UInt64>]) -> MallocWalk {
        var walk = MallocWalk(image: image, state: MallocState.known[0], mainArena: 0)
        walk.ranges = memory
        return walk
    }

    /// What messages call a malloc that is not glibc's; nil: none is known.
    static func otherMalloc(_ image: MemoryImage) -> String? {
        ["jemalloc", "tcmalloc", "mimalloc"].first { name in image.mappings.contains { $0.file.contains(name) } }
            ?? (hasOtherMalloc(image) ? "another malloc" : nil)
    }

    /// What can be told apart in the memory of a process, as a sentence.
    /// - Throws: nothing is known of its malloc.
    static func outlook(_ image: MemoryImage) throws(MemoryImageError) -> String {
        let (main, other) = (mainArena(of: image), otherMalloc(image))
        if let main, !main.isUnused || other == nil { return "glibc's: its blocks can be told apart" }
        guard let other else { throw noArena(image) }
        return "\(other): objects are found by their types, other memory is taken for used"
    }

    static func noArena(_ image: MemoryImage) -> MemoryImageError {
        if !image.unread.isEmpty {
            return MemoryImageError("The state of glibc's malloc was not found: \(image.unread.clause).")
        }
        return MemoryImageError(
            "The state of glibc's malloc was not found (another malloc, a static or unknown C library, or a core file without "
                + "private memory: set bits 0 and 1 of /proc/PID/coredump_filter): record the program with gameprof heap."
        )
    }

    private init(image: MemoryImage, state: MallocState, mainArena: UInt64) {
        (self.image, self.state, self.mainArena) = (image, state, mainArena)
    }

    // MARK: - Arenas

    /// The main arena is a variable of libc; stripped of its name it is known by its shape.
    private static func mainArena(of image: MemoryImage) -> (state: MallocState, address: UInt64, isUnused: Bool)? {
        if let found = place(in: image, { $0.stands(at: $1, in: image) && isMain($1, $0, image) }) {
            return (found.state, found.address, false)
        }
        guard let found = place(in: image, { $0.standsUnused(at: $1, in: image) }), !hasOtherMalloc(image) else {
            return nil
        }
        return (found.state, found.address, true)
    }

    /// Whether a file but the C library and its loader defines malloc.
    private static func hasOtherMalloc(_ image: MemoryImage) -> Bool {
        image.mappings.contains {
            $0.isFile && $0.offset == 0 && !isLibc($0.file) && !$0.file.contains("/ld-")
                && !ELFImages.definitions(of: ["malloc"], image, at: $0.start).isEmpty
        }
    }

    private static func isLibc(_ file: String) -> Bool { file.contains("/libc.so") || file.contains("/libc-2") }

    private static func place(
        in image: MemoryImage, _ stands: (MallocState, UInt64) -> Bool
    ) -> (state: MallocState, address: UInt64)? {
        let hasLibc = image.mappings.contains { isLibc($0.file) }
        // Places that are looked at: libc's data have some thousand, a damaged image may claim any number.
        var budget = 1 << 20
        for mapping in image.mappings where mapping.isWritable && mapping.isFile && (!hasLibc || isLibc(mapping.file)) {
            var at = (mapping.start + 15) & ~15
            while budget > 0, at < mapping.end {
                budget -= 1
                guard image.has(at, count: 16) else {
                    let next = image.next(from: at)
                    guard next < mapping.end else { break }
                    at = max(at + 16, (next + 15) & ~15)
                    continue
                }
                for state in MallocState.known where state.size <= mapping.end - at {
                    if stands(state, at) { return (state, at) }
                }
                at += 16
            }
        }
        return nil
    }

    /// Only the main arena lies in no heap of its own; it was used if it has a top.
    private static func isMain(_ arena: UInt64, _ state: MallocState, _ image: MemoryImage) -> Bool {
        guard let top = image.word(arena + state.top) else { return false }
        return top != 0 && (top < arena || top >= arena + state.size)
            && image.mapping(at: top)?.isWritable == true
    }

    private mutating func run() {
        findHeaps(startsAtMapping: false)
        for arena in arenas { listFastBins(of: arena) }
        for heap in heaps { walk(from: heap.first, to: heap.top, end: heap.range.upperBound) }
        for cache in caches {
            image.passed(cache.block)
            listThreadCache(at: cache.block, bins: cache.bins)
        }
        findMappedChunks()
        ranges.sort { $0.lowerBound < $1.lowerBound }
        // A map has no blocks twice: of parts that overlap it leaves one out.
        if zip(ranges, ranges.dropFirst()).contains(where: { $1.lowerBound < $0.upperBound }) {
            image.unread.add("a part of malloc's heap", because: "it overlaps another one")
        }
    }

    /// - Parameter startsAtMapping: nobody looks through all chunks for the main heap's first one.
    private mutating func findHeaps(startsAtMapping: Bool) {
        arenas = state.ring(from: mainArena, image) ?? [mainArena]
        for arena in arenas {
            states.append(arena..<arena + state.size)
            if arena == mainArena { findMainHeap(startsAtMapping) } else { findHeaps(of: arena) }
        }
    }

    private mutating func listFastBins(of arena: UInt64) {
        for bin in 0..<state.fastBinCount {
            let place = arena + state.fastBins + 8 * bin
            // Chunks, not blocks: their links stand 16 bytes behind.
            list(from: image.word(place) ?? 0, header: 16, limit: 1 << 24)
        }
    }

    /// The counts say how many blocks a list has, or since 2.42 how many more it takes.
    private mutating func listThreadCache(at cache: UInt64, bins: UInt64) {
        guard (0..<bins).allSatisfy({ (image.u16(cache + 2 * $0) ?? .max) < 1 << 12 }) else { return }
        for bin in 0..<bins {
            let first = image.word(cache + 2 * bins + 8 * bin) ?? 0
            // A block that only looks like a thread's cache names no chunks of the bin's size.
            guard let size = image.word(first &- 8).map({ $0 & ~Chunk.mask }),
                bin < ThreadCache.smallBins
                    ? size == 16 * bin + 32 : size >> (bin - ThreadCache.smallBins + 10) == 1
            else { continue }
            list(from: first, header: 0, limit: 1 << 12)
        }
    }

    /// Links are stored as `address >> 12 ^ target` (`PROTECT_PTR`); before 2.32 plainly.
    private mutating func list(from first: UInt64, header: UInt64, limit: Int) {
        var at = first
        for _ in 0..<limit {
            guard at != 0, at & 15 == 0, image.has(at, count: 32) else { return }
            guard listed.insert(at + header).inserted, let link = image.word(at + header) else { return }
            let target = link ^ (at + header) >> 12
            at = target & 15 == 0 && (target == 0 || image.has(target, count: 16)) ? target : link
        }
    }

    // MARK: - Chunks

    private mutating func findMainHeap(_ startsAtMapping: Bool) {
        // Where the kernel gave malloc no heap of its own, the program's memory may lie beside: the blocks tell then.
        guard let top = image.word(mainArena + state.top), let mapping = image.mapping(at: top),
            !startsAtMapping || mapping.file == "[heap]"
        else { return }
        // The kernel may keep the heap as several mappings, one behind the other, of which the program may protect some.
        var start = mapping.start
        while start > 0, let below = image.mapping(at: start - 1),
            startsAtMapping ? below.file == "[heap]" : !below.isFile
        {
            start = below.start
        }
        let first = startsAtMapping ? start : beginning(from: start, to: top)
        heaps.append(HeapRange(arena: 0, range: start..<mapping.end, first: first, top: top))
    }

    /// The first chunk of the main heap: without randomised addresses the program's variables lie in front of it. Up to 2.42 it
    /// is the cache of the main thread then.
    private func beginning(from start: UInt64, to top: UInt64) -> UInt64 {
        if reaches(top, from: start) { return start }
        var at = start
        while at + 16 <= top {
            if image.word(at) == 0, let size = image.word(at + 8), size & Chunk.mask == Chunk.previousInUse,
                state.fastBinCount == 0 || ThreadCache.bins[size & ~Chunk.mask] != nil, reaches(top, from: at)
            {
                return at
            }
            at += 16
        }
        return start
    }

    private func reaches(_ top: UInt64, from start: UInt64) -> Bool {
        var at = start
        while at < top, let size = image.word(at + 8), size & ~Chunk.mask >= Chunk.least, size < 1 << 47 {
            at += size & ~Chunk.mask
            image.passed(at)
        }
        return at == top
    }

    private mutating func findHeaps(of arena: UInt64) {
        guard let top = image.word(arena + state.top) else { return }
        let first = arena & ~(Heap.most - 1)
        let header = arena - first
        var heap = top & ~(Heap.most - 1)
        var known: Set<UInt64> = []
        while known.insert(heap).inserted, image.word(heap + Heap.arena) == arena,
            let size = image.word(heap + Heap.size), size <= Heap.most
        {
            var start = heap + header + (heap == first ? state.size : 0)
            start = (start + 15) & ~15
            states.append(heap..<start)
            if start < heap + size {
                let isLast = heap == top & ~(Heap.most - 1)
                heaps.append(
                    HeapRange(
                        arena: arena, range: heap..<heap + size, first: start, top: isLast ? top : heap + size))
            }
            guard heap != first, let previous = image.word(heap + Heap.previous), previous != 0 else { return }
            heap = previous
        }
    }

    /// The memory of blocks that lie in no heap that was found: mapped one by one, or taken otherwise for the main arena.
    private mutating func addOthers(_ blocks: BlockMap) {
        let known = heaps.map(\.range).sorted { $0.lowerBound < $1.lowerBound }
        var next = 0
        var end: UInt64 = 0
        blocks.visitAll { block in
            guard block.start >= end else { return }
            while next < known.count, known[next].upperBound <= block.start { next += 1 }
            if next < known.count, known[next].contains(block.start) {
                end = known[next].upperBound
            } else if let word = image.word(block.start - 8), word & Chunk.isMapped != 0 {
                let chunk = block.start - 16
                // The first word says how far into the mapping an aligned block was moved. Both words may be damaged.
                let lowest = image.mapping(at: chunk)?.start ?? chunk
                let start = max(chunk - min(image.word(chunk) ?? 0, chunk), lowest)
                let claimed = chunk &+ (word & ~Chunk.mask)
                // A part that is protected is a mapping of its own.
                var mapped = block.start + block.size
                while mapped < claimed, let mapping = image.mapping(at: mapped) { mapped = mapping.end }
                end = (max(block.start + block.size, min(claimed, mapped)) + 4095) & ~4095
                mappedBlocks.append(start & ~4095..<end)
            } else if let mapping = image.mapping(at: block.start) {
                let first = block.start - 16
                heaps.append(
                    HeapRange(
                        arena: 0, range: max(first & ~4095, mapping.start, end)..<mapping.end, first: first,
                        top: mapping.end))
                end = mapping.end
            }
        }
    }

    /// Chunks from `start` up to the one at `limit`.
    private mutating func walk(from start: UInt64, to limit: UInt64, end: UInt64) {
        guard start & 15 == 0, start < limit, limit <= end else { return }
        var at = start
        var region = BlockMap.Region(start: start + 16)
        while at < limit, let size = image.word(at + 8) {
            image.passed(at)
            var next = at &+ (size & ~Chunk.mask)
            // The end of a heap that another one follows is marked by chunks of 16 bytes.
            guard next >= at + Chunk.least else {
                if limit - at <= Chunk.least { at = limit }
                break
            }
            // Just being split: the part behind is the new top.
            if next > limit, next <= end { next = limit }
            guard next <= limit, next & 15 == start & 15, image.covers(at, count: next - at) else {
                problems.append("A heap of malloc is damaged, or was just being changed: the rest of it was left out.")
                break
            }
            let isLive = next == limit || (image.word(next + 8) ?? 1) & Chunk.previousInUse != 0
            if !isLive { freeBytes += next - at }
            // A thread's cache is a chunk itself.
            if isLive, let bins = ThreadCache.bins[next - at] { caches.append((at + 16, bins)) }
            region.add(at + 16, next: next + 16, isLive: isLive)
            at = next
        }
        regions.append(region)
        // What was left out counts as memory that is no block.
        ranges.append(start..<(at < limit ? at : end))
        if at < limit, problems.isEmpty { problems.append("A part of malloc's heap was not understood and left out.") }
    }

    /// Blocks that malloc mapped one by one: at the beginning of a page, without a chunk in front.
    private mutating func findMappedChunks() {
        let taken = ranges.sorted { $0.lowerBound < $1.lowerBound }
        for mapping in image.mappings where mapping.isWritable && mapping.file.isEmpty {
            var at = mapping.start
            for range in taken where range.overlaps(mapping.start..<mapping.end) {
                findMappedChunks(from: at, to: range.lowerBound)
                at = max(at, range.upperBound)
            }
            findMappedChunks(from: at, to: mapping.end)
        }
    }

    private mutating func findMappedChunks(from start: UInt64, to end: UInt64) {
        // Since 2.43 the size leaves out 16 bytes, of which the block has 8, as those in a heap have.
        let (left, own): (UInt64, UInt64) = state.fastBinCount == 0 ? (16, 8) : (0, 16)
        var at = (start + 4095) & ~4095
        while at < end {
            let next = image.next(from: at)
            at = max(at, next > .max - 4095 ? next : (next + 4095) & ~4095)
            guard at < end else { return }
            guard image.word(at) == 0, let head = image.word(at + 8), head < 1 << 47, case let size = head &+ left,
                size & 0xfff == Chunk.isMapped, size >= 4096, size - Chunk.isMapped <= end - at
            else {
                at += 4096
                continue
            }
            regions.append(BlockMap.Region(start: at + 16, single: head - Chunk.isMapped - own))
            ranges.append(at..<at + size - Chunk.isMapped)
            mappedBlocks.append(at..<at + size - Chunk.isMapped)
            at += size - Chunk.isMapped
        }
    }
}
