import Testing

@testable import GameprofMemoryImage

@Suite("Block map") struct BlockMapTests {
    @Test("each address is found in its block, and none between blocks")
    func lookup() {
        var starts: [UInt64] = []
        var sizes: [UInt64] = []
        let ranges: [Range<UInt64>] = [0x10_0000..<0x10_9000, 0x7f00_0000_0800..<0x7f00_0000_3000]
        var random: UInt64 = 7
        for range in ranges {
            var at = range.lowerBound + 16
            while at + 4096 < range.upperBound {
                random = random &* 6_364_136_223_846_793_005 &+ 1
                let size = (random >> 33) % 200 / 16 * 16 + 24
                if random >> 60 != 0 {
                    starts.append(at)
                    sizes.append(size)
                }
                at += size + 8
            }
        }
        let map = BlockMap(starts: starts, sizes: sizes, ranges: ranges)
        for range in ranges {
            for address in range.lowerBound - 16..<range.upperBound + 16 {
                let expected = starts.indices.last { starts[$0] <= address && address - starts[$0] < sizes[$0] }
                #expect(map.inside(address) == expected)
            }
        }
        for (index, start) in starts.enumerated() { #expect(map.exact(start) == index) }
        #expect(map.exact(starts[0] + 8) == nil && map.inside(0) == nil && map.inside(.max) == nil)
    }
}
