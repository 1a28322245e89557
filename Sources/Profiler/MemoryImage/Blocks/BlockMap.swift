/// Which addresses are live blocks, in ascending order: blocks are named by their position.
final class BlockMap {
    /// The part of the address space that one of malloc's heaps takes.
    private struct Region {
        var start: UInt64
        var end: UInt64
        /// Of the first page, in `firsts`.
        var firstPage: Int
    }

    private static let pageBits: UInt64 = 8

    let starts: [UInt64]
    /// Usable bytes: what was requested is not known.
    let sizes: [UInt64]
    private let regions: [Region]
    /// By page (of 256 bytes, so that few blocks are compared) of the regions: the first block that begins in it or behind it.
    private let firsts: [UInt32]
    private let low: UInt64
    private let high: UInt64

    var count: Int { starts.count }

    /// - Parameters:
    ///   - blocks: in ascending order, without overlap.
    ///   - ranges: of malloc, in ascending order; every block lies in one.
    init(starts: [UInt64], sizes: [UInt64], ranges: [Range<UInt64>]) {
        (self.starts, self.sizes) = (starts, sizes)
        low = ranges.first?.lowerBound ?? 0
        high = ranges.last?.upperBound ?? 0
        var regions: [Region] = []
        var firsts: [UInt32] = []
        var next = 0
        for range in ranges {
            let base = range.lowerBound >> Self.pageBits
            let pages = Int((range.upperBound - 1) >> Self.pageBits - base) + 1
            regions.append(Region(start: range.lowerBound, end: range.upperBound, firstPage: firsts.count))
            for page in 0..<UInt64(pages) {
                while next < starts.count, starts[next] >> Self.pageBits < base + page { next += 1 }
                firsts.append(UInt32(next))
            }
        }
        (self.regions, self.firsts) = (regions, firsts)
    }

    /// The region that holds an address; nil: none.
    private func region(_ address: UInt64) -> Region? {
        guard address >= low, address < high else { return nil }
        let found = partition(0..<regions.count) { regions[$0].end > address }
        guard found < regions.count, regions[found].start <= address else { return nil }
        return regions[found]
    }

    /// Whether an address is malloc's own.
    func isMallocs(_ address: UInt64) -> Bool { region(address) != nil }

    /// The block that begins at `address`.
    func exact(_ address: UInt64) -> Int? {
        guard address & 15 == 0, let block = inside(address), starts[block] == address else { return nil }
        return block
    }

    /// The block that holds `address`. O(log regions + log blocks of a page).
    func inside(_ address: UInt64) -> Int? {
        guard let region = region(address) else { return nil }
        let page = region.firstPage + Int(address >> Self.pageBits - region.start >> Self.pageBits)
        let end = page + 1 < firsts.count ? Int(firsts[page + 1]) : starts.count
        let next = partition(Int(firsts[page])..<end) { starts[$0] > address }
        guard next > 0, address - starts[next - 1] < sizes[next - 1] else { return nil }
        return next - 1
    }
}
