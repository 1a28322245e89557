/// Which addresses are live blocks, in ascending order: blocks are named by their position. Two bits for each 16 bytes of malloc's
/// memory: a block of 48 bytes takes less than one byte.
final class BlockMap {
    /// A part of the address space with malloc's chunks, one behind the other.
    struct Region {
        /// Of the first chunk that a block may have: all others follow at multiples of 16.
        let start: UInt64
        /// Where the last block ends.
        fileprivate(set) var end: UInt64
        /// One block, as long as the region: it takes one bit.
        let isSingle: Bool
        /// By 16 bytes: a chunk's block begins there.
        fileprivate(set) var bounds: [UInt64] = []
        /// That is live.
        fileprivate(set) var live: [UInt64] = []
        /// That ends 8 bytes before it could; no longer than the last one.
        fileprivate var short: [UInt64] = []

        init(start: UInt64, single size: UInt64? = nil) {
            (self.start, end, isSingle) = (start, start + (size ?? 0), size != nil)
            if size != nil { (bounds, live) = ([1], [1]) }
        }

        /// The block behind the last one. `start`: of the block, `next`: of the one behind it, or where that would be.
        mutating func add(_ start: UInt64, next: UInt64, isLive: Bool, isShort: Bool = false) {
            let (bit, behind) = (Int((start - self.start) / 16), Int((next - self.start) / 16))
            if behind / 64 >= bounds.count {
                let more = repeatElement(UInt64(0), count: behind / 64 + 1 - bounds.count)
                bounds += more
                live += more
            }
            bounds[bit / 64] |= 1 << UInt64(bit % 64)
            bounds[behind / 64] |= 1 << UInt64(behind % 64)
            if isLive { live[bit / 64] |= 1 << UInt64(bit % 64) }
            if isShort {
                short += repeatElement(0, count: max(bit / 64 + 1 - short.count, 0))
                short[bit / 64] |= 1 << UInt64(bit % 64)
            }
            end = next - 8
        }
    }

    /// A region whose bits stand in the map's columns.
    private struct Part {
        var start: UInt64
        var end: UInt64
        var isSingle: Bool
        /// Of its words.
        var first: Int

        func bit(_ address: UInt64) -> Int { 64 * first + (isSingle ? 0 : Int((address - start) / 16)) }
    }

    private static let lineBits = 512

    private let parts: UnsafeMutableBufferPointer<Part>
    private let bounds: UnsafeMutableBufferPointer<UInt64>
    private let live: UnsafeMutableBufferPointer<UInt64>
    /// A bit for each word of `bounds` that is not zero, so that long blocks are passed quickly.
    private let filled: UnsafeMutableBufferPointer<UInt64>
    /// By line: live blocks in front of it.
    private let ranks: UnsafeMutableBufferPointer<UInt32>
    private let short: UnsafeMutableBufferPointer<UInt64>
    let count: Int
    /// Blocks are as long as was asked for, in words of eight bytes; otherwise as long as malloc made them.
    let isExact: Bool
    private let low: UInt64
    private let span: UInt64

    /// - Parameters:
    ///   - regions: one that overlaps another is left out.
    ///   - free: addresses of blocks that are none after all.
    init(_ regions: [Region], free: [UInt64] = [], isExact: Bool = false) {
        self.isExact = isExact
        var sorted: [Region] = []
        var places: [Part] = []
        var words = 0
        for region in regions.sorted(by: { $0.start < $1.start })
        where !region.bounds.isEmpty && region.start >= sorted.last?.end ?? 0 {
            sorted.append(region)
            places.append(Part(start: region.start, end: region.end, isSingle: region.isSingle, first: words))
            words += (region.bounds.count + 7) / 8 * 8
        }
        parts = .allocate(capacity: places.count)
        _ = parts.initialize(from: places)
        func column<T: FixedWidthInteger>(_ count: Int) -> UnsafeMutableBufferPointer<T> {
            let result = UnsafeMutableBufferPointer<T>.allocate(capacity: count)
            result.initialize(repeating: 0)
            return result
        }
        bounds = column(words)
        live = column(words)
        filled = column(words / 64 + 1)
        ranks = column(words / 8 + 1)
        short = column(isExact ? words : 0)
        low = sorted.first?.start ?? 0
        span = (sorted.last?.end ?? 0) - low
        for (region, place) in zip(sorted, places) {
            for word in region.bounds.indices {
                (bounds[place.first + word], live[place.first + word]) = (region.bounds[word], region.live[word])
            }
            for word in region.short.indices { short[place.first + word] = region.short[word] }
        }
        for word in 0..<words where bounds[word] != 0 { filled[word / 64] |= 1 << UInt64(word % 64) }
        for address in free {
            guard address & 15 == 0, let bit = Self.part(address, parts)?.bit(address) else { continue }
            live[bit / 64] &= ~(1 << UInt64(bit % 64))
        }
        var sum = 0
        for word in 0..<words {
            if word % 8 == 0 { ranks[word / 8] = UInt32(truncatingIfNeeded: sum) }
            sum += live[word].nonzeroBitCount
        }
        ranks[words / 8] = UInt32(truncatingIfNeeded: sum)
        count = sum
    }

    deinit {
        parts.deallocate()
        bounds.deallocate()
        live.deallocate()
        filled.deallocate()
        short.deallocate()
        ranks.deallocate()
    }

    // MARK: - By address

    @inline(__always)
    private static func part(_ address: UInt64, _ parts: UnsafeMutableBufferPointer<Part>) -> Part? {
        let found = partition(0..<parts.count) { parts[$0].end > address }
        guard found < parts.count, parts[found].start <= address else { return nil }
        return parts[found]
    }

    /// The block that begins at `address`. O(log regions).
    func exact(_ address: UInt64) -> Int? {
        guard address &- low < span, address & 15 == 0, let part = Self.part(address, parts) else { return nil }
        return !part.isSingle || address == part.start ? number(part.bit(address)) : nil
    }

    /// The block that holds `address`. O(log regions), and more in a block of many KiB.
    func inside(_ address: UInt64) -> Int? {
        guard address &- low < span, let part = Self.part(address, parts) else { return nil }
        let bit = part.bit(address)
        if address & 15 == 0, has(live, bit) { return number(bit) }
        // The size of the chunk behind stands in the last eight bytes.
        if address & 8 != 0, !part.isSingle, has(bounds, bit + 1) { return nil }
        return number(bound(atOrBefore: bit))
    }

    /// Whether a block ends within 16 bytes of an address inside of it: there glibc's chunk behind begins.
    func endsBehind(_ address: UInt64) -> Bool {
        guard address & 15 == 0, let part = Self.part(address, parts), !part.isSingle else { return false }
        return has(bounds, part.bit(address) + 1) && !has(bounds, part.bit(address))
    }

    private func has(_ column: UnsafeMutableBufferPointer<UInt64>, _ bit: Int) -> Bool {
        column[bit / 64] >> UInt64(bit % 64) & 1 != 0
    }

    private func number(_ bit: Int) -> Int? {
        guard has(live, bit) else { return nil }
        let word = bit / 64
        var result = Int(ranks[bit / Self.lineBits])
        for before in word / 8 * 8..<word { result += live[before].nonzeroBitCount }
        return result + (live[word] & (1 << UInt64(bit % 64) - 1)).nonzeroBitCount
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
    private func bound(behind bit: Int) -> Int {
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

    // MARK: - By number

    /// A block's address, and its usable bytes: what was requested is not known.
    struct Block {
        var number: Int
        var start: UInt64
        var size: UInt64
    }

    subscript(_ block: Int) -> Block {
        let line = partition(0..<ranks.count) { Int(ranks[$0]) > block } - 1
        var (left, word) = (block - Int(ranks[line]), 8 * line)
        while left >= live[word].nonzeroBitCount {
            left -= live[word].nonzeroBitCount
            word += 1
        }
        var bits = live[word]
        for _ in 0..<left { bits &= bits - 1 }
        let part = parts[partition(0..<parts.count) { parts[$0].first > word } - 1]
        return self.block(block, 64 * word + bits.trailingZeroBitCount, part)
    }

    private func block(_ number: Int, _ bit: Int, _ part: Part) -> Block {
        guard !part.isSingle else { return Block(number: number, start: part.start, size: part.end - part.start) }
        let start = part.start + 16 * UInt64(bit - 64 * part.first)
        let size = 16 * UInt64(bound(behind: bit) - bit) - 8
        return Block(number: number, start: start, size: isExact && has(short, bit) ? size - 8 : size)
    }

    /// Visits all blocks in ascending order.
    func visitAll<E: Error>(_ body: (Block) throws(E) -> Void) throws(E) {
        var number = 0
        for (index, part) in parts.enumerated() {
            let end = index + 1 < parts.count ? parts[index + 1].first : live.count
            for word in part.first..<end {
                var bits = live[word]
                while bits != 0 {
                    try body(block(number, 64 * word + bits.trailingZeroBitCount, part))
                    bits &= bits - 1
                    number += 1
                }
            }
        }
    }
}
