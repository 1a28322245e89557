import CTraceFormat
import Testing

@testable import GameprofHeap

@Suite("Stale words of a recorded process") struct StaleWordsTests {
    private func stale(_ clone: FakeClone) throws -> StaleWords {
        let frozen = try clone.frozen()
        return StaleWords(frozen, clone.graph(frozen))
    }

    @Test("what libdispatch keeps for later is known by its chain, and nothing else is taken for it")
    func continuations() throws {
        let heap = FakeClone()
        let (length, next, function): (UInt64, UInt64, UInt64) = (8, 16, 32)
        let (last, middle, first) = (heap.block(72), heap.block(72), heap.block(72))
        (heap[last + length], heap[middle + length], heap[first + length]) = (1, 2, 3)
        (heap[middle + next], heap[first + next]) = (last, middle)
        heap.variables(3000, [77, 0, 0, first])
        #expect(try stale(heap).blocks.sorted() == [0, 1, 2])
        // Another thread's id, a chain whose lengths do not fit or that does not end, data for a function: somebody else's memory.
        heap.variables(3000, [78])
        #expect(try stale(heap).blocks.isEmpty)
        heap.variables(3000, [77])
        heap[middle + length] = 5
        #expect(try stale(heap).blocks.isEmpty)
        heap[middle + length] = 2
        heap[last + next] = first
        #expect(try stale(heap).blocks.isEmpty)
        heap[last + next] = 0
        heap[last + function] = first
        #expect(try stale(heap).blocks.isEmpty)
        heap[last + function] = 0
        heap.variables(3003, [first + 40])
        #expect(try stale(heap).blocks.isEmpty)
    }

    @Test("the room that a table of the Swift runtime has left over names nothing")
    func tables() throws {
        let heap = FakeClone()
        let (capacity, some): (UInt64, UInt64) = (4, 0x1234)
        let left = heap.block(40)
        func elements(_ capacity: UInt64, _ size: Int = 40) -> UInt64 {
            heap.block(size, [0x5550_0000_0000 << 16 | capacity, some, some, some, left])
        }
        func table(_ place: Int, _ count: UInt64, _ elements: UInt64, _ indices: UInt64) {
            heap.variables(place, [count << 32, elements, indices])
        }
        let (first, full, bigger, large) = (elements(4), elements(4), elements(5), elements(4))
        let queue = elements(4)
        let wide = heap.block(104, [capacity, some, some, 0, some, some, 0, some, some, 0, left])
        // Three of 16 bytes, which stand behind the logarithm of how many there are.
        let indices = heap.block(16, [0x0000_0200_0001_0004, 0x03]) | 1
        table(10, 3, first, 0x30_0020_0010)
        table(20, 4, full, 0x30_0020_0410)
        table(30, 3, bigger, 0x30_0020_0010)  // not as long as it says
        table(40, 3, large, indices)
        table(50, 3, queue, 0)  // a program's: head, count, ring
        table(60, 3, wide, 0x30_0020_0010)
        var ends: [UInt64: UInt64] = [:]
        for (block, size) in [(first, 32), (full, 40), (large, 32), (wide, 80)] { ends[block] = block + UInt64(size) }
        #expect(try stale(heap).filledEnds == ends)
    }

    @Test("what a stream of the C library has buffered is no proof that something is in use")
    func streams() throws {
        let heap = FakeClone()
        let (other, buffer) = (heap.block(40), heap.block(4096 - 1024))
        for start in [buffer, other + 8] { heap.add(GP_WORDS_BUFFER, start, start + 64) }
        let room = try stale(heap).room
        #expect(!room.contains(0) && room.contains(1))
    }

    @Test("a string holds its text and its breadcrumbs, and nothing in its room")
    func texts() throws {
        let flag: UInt64 = 1 << 63
        let text = try #require(StoredText(capacity: flag | 100, count: 0xf << 60 | 20, size: 144))
        #expect(text.end == 52 && text.breadcrumbs == 136)
        // Without the flag, or where a block has no room for them, there are none.
        #expect(StoredText(capacity: 100, count: 20, size: 144)?.breadcrumbs == nil)
        #expect(StoredText(capacity: flag | 100, count: 20, size: 136)?.breadcrumbs == nil)
        // It makes no sense: the text is longer than its room, or that than the block.
        #expect(StoredText(capacity: flag | 20, count: 20, size: 144) == nil)
        #expect(StoredText(capacity: flag | 113, count: 20, size: 144) == nil)
        #expect(StoredText(capacity: .max, count: .max, size: 144) == nil)
    }
}
