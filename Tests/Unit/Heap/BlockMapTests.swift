import Testing

@testable import GameprofHeap

@Suite("Block map") struct BlockMapTests {
    @Test("each address is found in its block, and none between blocks")
    func lookup() {
        var blocks: [(start: UInt64, size: UInt64)] = []
        var regions: [BlockMap.Region] = [BlockMap.Region(start: 0x5000_0010, single: 0x9008)]
        var free: [UInt64] = []
        var random: UInt64 = 7
        for range: Range<UInt64> in [0x7f00_0000_0800..<0x7f00_0000_3000, 0x10_0010..<0x12_9000] {
            var at = range.lowerBound
            var region = BlockMap.Region(start: at)
            while at + 0x5000 < range.upperBound {
                random = random &* 6_364_136_223_846_793_005 &+ 1
                let size = (random >> 33) % (random >> 59 == 0 ? 0x5000 : 200) / 16 * 16 + 32
                let isLive = random >> 60 != 0
                region.add(at, next: at + size, isLive: isLive || random >> 61 == 0)
                if isLive { blocks.append((at, size - 8)) } else if random >> 61 == 0 { free.append(at) }
                at += size
            }
            regions.append(region)
        }
        blocks.append((0x5000_0010, 0x9008))
        blocks.sort { $0.start < $1.start }
        let map = BlockMap(regions, free: free)
        #expect(map.count == blocks.count)
        for region in regions {
            var expected = blocks.lastIndex { $0.start < region.start - 16 } ?? -1
            for address in region.start - 16..<region.end + 16 {
                while expected + 1 < blocks.count, blocks[expected + 1].start <= address { expected += 1 }
                let isInside = expected >= 0 && address - blocks[expected].start < blocks[expected].size
                #expect(map.inside(address) == (isInside ? expected : nil))
            }
        }
        var number = 0
        map.visitAll { block in
            #expect(block.number == number && block.start == blocks[number].start && block.size == blocks[number].size)
            #expect(map[number].start == block.start && map[number].size == block.size)
            #expect(map.exact(block.start) == number && map.exact(block.start + 8) == nil)
            number += 1
        }
        #expect(number == map.count && map.inside(0) == nil && map.inside(.max) == nil)
    }

    @Test("an overwritten word in front of a block says nothing of its size")
    func extent() {
        #expect(BlockGraph.extent(48, chunk: 0x41) == 56)
        #expect(BlockGraph.extent(48, chunk: 0x4141_4141_4141_4141) == 48 && BlockGraph.extent(48, chunk: 0) == 48)
    }
}
