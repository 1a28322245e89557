import CGameprofProcessor
import GameprofBasics

/// Which addresses are live blocks, in ascending order: blocks are named by their position. Three bits for each 16 bytes of malloc's
/// memory: a block of 48 bytes takes less than 1.5 bytes. An address is looked up in two lines of the cache, of which one is
/// the address's own. For one thread at a time.
final class BlockMap {
    /// A part of the address space with malloc's chunks, one behind the other.
    struct Region {
        /// Of the first chunk that a block may have: all others follow at multiples of 16.
        let start: UInt64
        /// Where the last block ends.
        fileprivate(set) var end: UInt64
        /// One block, as long as the region: it takes one bit.
        let isSingle: Bool
        /// Glibc keeps the size of the chunk behind in the last eight bytes of each block.
        let hasHeaders: Bool
        /// By 16 bytes: a chunk's block begins there.
        fileprivate(set) var bounds: [UInt64] = []
        /// That is live.
        fileprivate(set) var live: [UInt64] = []
        /// That ends 8 bytes before it could; no longer than the last one.
        fileprivate var short: [UInt64] = []

        init(start: UInt64, single size: UInt64? = nil, hasHeaders: Bool = true) {
            (self.start, end, isSingle) = (start, start + (size ?? 0), size != nil)
            self.hasHeaders = hasHeaders
            if size != nil { (bounds, live) = ([1], [1]) }
        }

        /// The block behind the last one. `start`: of the block, `next`: of the one behind it, or where that would be.
        mutating func add(_ start: UInt64, next: UInt64, isLive: Bool, isShort: Bool = false) {
            let (bit, behind) = (Int((start - self.start) / 16), Int((next - self.start) / 16))
            while bounds.count <= behind / 64 {
                bounds.append(0)
                live.append(0)
            }
            bounds[bit / 64] |= 1 << UInt64(bit % 64)
            bounds[behind / 64] |= 1 << UInt64(behind % 64)
            if isLive { live[bit / 64] |= 1 << UInt64(bit % 64) }
            if isShort {
                while short.count <= bit / 64 { short.append(0) }
                short[bit / 64] |= 1 << UInt64(bit % 64)
            }
            end = next - (hasHeaders ? 8 : 0)
        }
    }

    /// Regions of blocks without headers, which come by address. One that overlaps another is left out.
    struct RegionsWithoutHeaders {
        private var regions: [Region] = []
        private var open: Region?
        private static let (longest, gap): (UInt64, UInt64) = (1 << 20, 1 << 16)

        /// - Parameters:
        ///   - room: bytes behind the block, in steps of 16, that it may use too.
        ///   - isShort: it ends 8 bytes before the next multiple of 16.
        mutating func add(_ start: UInt64, size: UInt64, room: UInt64 = 0, isShort: Bool = false) {
            let end = start + (max(size, 1) + 15) & ~15 + room
            guard start >= open?.end ?? 0 else { return }
            if let last = open, size > Self.longest || start - last.end > Self.gap {
                regions.append(last)
                open = nil
            }
            guard size <= Self.longest else {
                regions.append(Region(start: start, single: end - start, hasHeaders: false))
                return
            }
            if open == nil { open = Region(start: start, hasHeaders: false) }
            open?.add(start, next: end, isLive: true, isShort: isShort)
        }

        consuming func finish() -> [Region] { open.map { regions + [$0] } ?? regions }
    }

    /// A region whose bits stand in the map's columns.
    fileprivate struct Part {
        var start: UInt64
        var end: UInt64
        var isSingle: Bool
        /// Of its words.
        var first: Int

        @inline(__always)
        func bit(_ address: UInt64) -> Int { 64 * first + (isSingle ? 0 : Int((address - start) / 16)) }
    }

    /// 64 places of 16 bytes.
    fileprivate struct Line {
        /// Live blocks that begin here.
        var live: UInt64
        /// Those in front of it.
        var rank: UInt32
    }

    /// Where the search for a part begins, of addresses that share their upper bits.
    fileprivate struct Granule {
        var number = UInt64.max
        /// The first part that ends in it or behind.
        var first = 0
    }

    let places: Places
    private let short: UnsafeMutableBufferPointer<UInt64>
    let count: Int
    /// Blocks are as long as was asked for, in words of eight bytes; otherwise as long as malloc made them.
    let isExact: Bool
    /// Glibc's headers stand in front of the blocks. Without, blocks are as long as malloc made them.
    var hasHeaders: Bool { places.hasHeaders }
    /// Nil: all blocks are known.
    let scanned: ScannedMemory?

    /// - Parameters:
    ///   - regions: one that overlaps another is left out; all have headers, or none.
    ///   - free: addresses of blocks that are none after all.
    ///   - scanned: where the blocks were found, if they are only the objects.
    init(_ regions: [Region], free: [UInt64] = [], isExact: Bool = false, scanned: ScannedMemory? = nil) {
        (self.isExact, self.scanned) = (isExact, scanned)
        var sorted: [Region] = []
        var starts: [Part] = []
        var words = 0
        for region in regions.sorted(by: { $0.start < $1.start })
        where !region.bounds.isEmpty && region.start >= sorted.last?.end ?? 0 {
            sorted.append(region)
            starts.append(Part(start: region.start, end: region.end, isSingle: region.isSingle, first: words))
            words += (region.bounds.count + 7) / 8 * 8
        }
        starts.append(Part(start: .max, end: .max, isSingle: true, first: words))
        let parts = UnsafeMutableBufferPointer<Part>.allocate(capacity: starts.count)
        _ = parts.initialize(from: starts)
        func column<T>(_ count: Int, _ value: T) -> UnsafeMutableBufferPointer<T> {
            let result = UnsafeMutableBufferPointer<T>.allocate(capacity: count)
            result.initialize(repeating: value)
            return result
        }
        let lines = column(words, Line(live: 0, rank: 0))
        let bounds = column(words, UInt64(0))
        let filled = column(words / 64 + 1, UInt64(0))
        short = column(isExact ? words : 0, 0)
        for (region, place) in zip(sorted, starts) {
            for word in region.bounds.indices {
                (bounds[place.first + word], lines[place.first + word].live) = (region.bounds[word], region.live[word])
            }
            for word in region.short.indices { short[place.first + word] = region.short[word] }
        }
        for word in 0..<words where bounds[word] != 0 { filled[word / 64] |= 1 << UInt64(word % 64) }
        for address in free where address & 15 == 0 {
            let found = partition(0..<sorted.count) { sorted[$0].end > address }
            guard found < sorted.count, sorted[found].start <= address else { continue }
            let bit = starts[found].bit(address)
            lines[bit / 64].live &= ~(1 << UInt64(bit % 64))
        }
        var sum = 0
        for word in 0..<words {
            lines[word].rank = UInt32(truncatingIfNeeded: sum)
            sum += lines[word].live.nonzeroBitCount
        }
        count = sum
        let low = sorted.first?.start ?? 0
        places = Places(
            hasHeaders: regions.first?.hasHeaders ?? true, low: low, span: (sorted.last?.end ?? 0) - low, parts: parts,
            lines: lines, bounds: bounds, filled: filled, granules: column(Int(Places.granuleCount), Granule()))
    }

    deinit {
        places.deallocate()
        short.deallocate()
    }

    // MARK: - By address

    /// The block that begins at `address`.
    @inline(__always)
    func exact(_ address: UInt64) -> Int? { places.exact(address) }

    /// The block that holds `address`. It takes longer in a block of many KiB.
    @inline(__always)
    func inside(_ address: UInt64) -> Int? { places.inside(address) }

    /// Whether a block ends within 16 bytes of an address inside of it: there glibc's chunk behind begins.
    func endsBehind(_ address: UInt64) -> Bool { places.endsBehind(address) }

    // MARK: - By number

    /// A block's address, and its usable bytes: what was requested is not known.
    struct Block {
        var number: Int
        var start: UInt64
        var size: UInt64
    }

    subscript(_ block: Int) -> Block {
        let word = partition(0..<places.lines.count) { Int(places.lines[$0].rank) > block } - 1
        var bits = places.lines[word].live
        for _ in 0..<block - Int(places.lines[word].rank) { bits &= bits - 1 }
        let part = places.parts[partition(0..<places.parts.count) { places.parts[$0].first > word } - 1]
        return self.block(block, 64 * word + bits.trailingZeroBitCount, part)
    }

    /// Where the first block begins that does so at `address` or behind; `UInt64.max`: none does.
    func firstStart(from address: UInt64) -> UInt64 {
        let found = partition(0..<count) { self[$0].start >= address }
        return found < count ? self[found].start : .max
    }

    private func block(_ number: Int, _ bit: Int, _ part: Part) -> Block {
        guard !part.isSingle else { return Block(number: number, start: part.start, size: part.end - part.start) }
        let start = part.start + 16 * UInt64(bit - 64 * part.first)
        let size = 16 * UInt64(places.bound(behind: bit) - bit) - (hasHeaders ? 8 : 0)
        return Block(number: number, start: start, size: isExact && Places.has(short, bit) ? size - 8 : size)
    }

    /// Visits all blocks in ascending order.
    @inline(__always)
    func visitAll<E: Error>(_ body: (Block) throws(E) -> Void) throws(E) {
        var number = 0
        for index in 0..<places.parts.count - 1 {
            for word in places.parts[index].first..<places.parts[index + 1].first {
                var bits = places.lines[word].live
                while bits != 0 {
                    try body(block(number, 64 * word + bits.trailingZeroBitCount, places.parts[index]))
                    bits &= bits - 1
                    number += 1
                }
            }
        }
    }
}

extension BlockMap {
    /// Where its blocks are, as pointers into its columns: they are valid as long as the map.
    struct Places {
        fileprivate static let granuleBits: UInt64 = 21
        fileprivate static let granuleCount: UInt64 = 1024

        fileprivate let hasHeaders: Bool
        /// All blocks lie in `span` bytes from `low` on.
        let (low, span): (UInt64, UInt64)
        /// By address; one that ends behind all addresses follows.
        fileprivate let parts: UnsafeMutableBufferPointer<Part>
        fileprivate let lines: UnsafeMutableBufferPointer<Line>
        /// By 16 bytes: a chunk's block begins there.
        fileprivate let bounds: UnsafeMutableBufferPointer<UInt64>
        /// A bit for each word of `bounds` that is not zero, so that long blocks are passed quickly.
        fileprivate let filled: UnsafeMutableBufferPointer<UInt64>
        /// By the last bits of their numbers, those that were looked up last.
        fileprivate let granules: UnsafeMutableBufferPointer<Granule>

        /// The same for another thread, which deallocates what it remembers of its own.
        func forAnotherThread() -> Places {
            let own = UnsafeMutableBufferPointer<Granule>.allocate(capacity: Int(Places.granuleCount))
            own.initialize(repeating: Granule())
            return Places(
                hasHeaders: hasHeaders, low: low, span: span, parts: parts, lines: lines, bounds: bounds,
                filled: filled, granules: own)
        }

        func deallocateRemembered() { granules.deallocate() }

        fileprivate func deallocate() {
            parts.deallocate()
            lines.deallocate()
            bounds.deallocate()
            filled.deallocate()
            granules.deallocate()
        }

        @inline(__always)
        private func part(_ address: UInt64) -> Part? {
            guard address &- low < span else { return nil }
            let granule = address >> Places.granuleBits
            let place = granules.baseAddress! + Int(granule & (Places.granuleCount - 1))
            var number = place.pointee.first
            if place.pointee.number != granule {
                number = partition(0..<parts.count - 1) { parts[$0].end > granule << Places.granuleBits }
                // A word that only looks like an address drives nothing out.
                if parts[number].start >> Places.granuleBits <= granule {
                    place.pointee = Granule(number: granule, first: number)
                }
            }
            while parts[number].end <= address { number += 1 }
            return parts[number].start <= address ? parts[number] : nil
        }

        /// The block that begins at `address`.
        @inline(__always)
        func exact(_ address: UInt64) -> Int? {
            guard address & 15 == 0, let part = part(address) else { return nil }
            return !part.isSingle || address == part.start ? number(part.bit(address)) : nil
        }

        /// The block that holds `address`. It takes longer in a block of many KiB.
        @inline(__always)
        func inside(_ address: UInt64) -> Int? {
            guard let part = part(address) else { return nil }
            let bit = part.bit(address)
            if address & 15 == 0, let number = number(bit) { return number }
            return holder(address, bit, part)
        }

        @inline(never)
        private func holder(_ address: UInt64, _ bit: Int, _ part: Part) -> Int? {
            // The size of the chunk behind stands in the last eight bytes.
            if hasHeaders, address & 8 != 0, !part.isSingle, Self.has(bounds, bit + 1) { return nil }
            return number(bound(atOrBefore: bit))
        }

        /// Has what `inside` reads of an address fetched; false: no block holds it.
        @inline(__always)
        func fetch(_ address: UInt64) -> Bool {
            guard let part = part(address) else { return false }
            gp_prefetch(lines.baseAddress! + (part.bit(address) >> 6))
            return true
        }

        /// Whether a block ends within 16 bytes of an address inside of it: there glibc's chunk behind begins.
        func endsBehind(_ address: UInt64) -> Bool {
            guard address & 15 == 0, let part = part(address), !part.isSingle else { return false }
            return Self.has(bounds, part.bit(address) + 1) && !Self.has(bounds, part.bit(address))
        }

        @inline(__always)
        fileprivate static func has(_ column: UnsafeMutableBufferPointer<UInt64>, _ bit: Int) -> Bool {
            column[bit / 64] >> UInt64(bit % 64) & 1 != 0
        }

        @inline(__always)
        private func number(_ bit: Int) -> Int? {
            let (line, mask) = (lines[bit >> 6], UInt64(1) << UInt64(bit & 63))
            guard line.live & mask != 0 else { return nil }
            return Int(line.rank) + (line.live & (mask - 1)).nonzeroBitCount
        }

        /// Each region begins with a chunk: there is one.
        private func bound(atOrBefore bit: Int) -> Int {
            var word = bit / 64
            let here = bounds[word] & (UInt64.max >> UInt64(63 - bit % 64))
            if here != 0 { return 64 * word + 63 - here.leadingZeroBitCount }
            var mask = filled[word / 64] & (1 << UInt64(word % 64) - 1)
            word /= 64
            while mask == 0 {
                word -= 1
                mask = filled[word]
            }
            word = 64 * word + 63 - mask.leadingZeroBitCount
            return 64 * word + 63 - bounds[word].leadingZeroBitCount
        }

        /// Each region ends with one that is not live.
        fileprivate func bound(behind bit: Int) -> Int {
            var word = bit / 64
            let here = bounds[word] & ~(UInt64.max >> UInt64(63 - bit % 64))
            if here != 0 { return 64 * word + here.trailingZeroBitCount }
            var mask = filled[word / 64] & ~(UInt64.max >> UInt64(63 - word % 64))
            word /= 64
            while mask == 0 {
                word += 1
                mask = filled[word]
            }
            word = 64 * word + mask.trailingZeroBitCount
            return 64 * word + bounds[word].trailingZeroBitCount
        }
    }
}
