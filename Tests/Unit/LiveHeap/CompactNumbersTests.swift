import GameprofBasics
import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

@Suite("Compact numbers of a heap's analyses")
struct CompactNumbersTests {
    @Test("numbers come back whole, whatever their upper halves are")
    func wide() {
        let numbers: [UInt64] = [0, 1 << 32, 1 << 32 + 5, 7, .max, 1 << 63, 3, 3]
        var column = WideColumn()
        for number in numbers { column.append(number) }
        #expect((0..<column.count).map { column[$0] } == numbers)
        #expect(column.changeCount == 6)
    }

    @Test("a list has its blocks, however far they lie apart")
    func list() {
        let blocks: [UInt32] = [0, 1, 128, 129, 256, 20_000, 20_001, 3_000_000, 1 << 31, .max - 1]
        var list = BlockList()
        for block in blocks { list.append(block) }
        #expect(Array(list) == blocks && list.count == blocks.count)
    }

    @Test("a buffer in buffers has the last one below the object, be such buffers few or many", arguments: [3, 300])
    func holders(depth: Int) {
        var heap = LiveHeapFixture()
        let game = heap.object("Game.Game")
        heap.root(game)
        var above = game
        var chain: [Int] = []
        for _ in 0..<depth {
            let box = heap.object(nil)
            heap.refer(above, "next", box)
            chain.append(box)
            above = box
        }
        for _ in 0..<200 { heap.refer(game, "card", heap.object("Game.Card")) }
        let holders = BufferHolders(heap.ownership)
        #expect(chain.allSatisfy { holders[UInt32($0)] == UInt32(game) })
        #expect(holders[UInt32(game)] == UInt32(game))
    }

    @Test("depth and beginning of a path are those of the way up, in whatever order they are asked for")
    func paths() {
        var random = SplitMix(state: 9)
        for _ in 0..<20 {
            var heap = LiveHeapFixture()
            let count = 3_000
            var parents = [Int](repeating: -1, count: count)
            for node in 0..<count {
                _ = heap.object("Game.Node")
                guard node % 1_500 > 0 else {
                    heap.root(node)
                    continue
                }
                parents[node] = max(node - Int.random(in: 1...2, using: &random), node / 1_500 * 1_500)
                heap.refer(parents[node], "next", node)
            }
            let tree = RetainingPathTree(heap.ownership) { _ in false }
            for node in (0..<count).shuffled(using: &random) {
                var way = [node]
                while let next = way.last, parents[next] >= 0 { way.append(parents[next]) }
                #expect(
                    tree.depth(of: UInt32(node)) == way.count
                        && tree.top(of: UInt32(node)) == way.last.map { UInt32($0) })
            }
        }
    }
}
