import Testing

@testable import GameprofHeap

@Suite("What could not be read") struct UnreadPartsTests {
    @Test func `parts of one reason are added up, and reasons stand in the order in which they were met`() {
        var unread = UnreadParts()
        #expect(unread.isEmpty)
        unread.add(memory: 0x1000..<0x1000, because: "nothing")
        #expect(unread.isEmpty)
        unread.add(memory: 0x1000..<0x2000, because: "it is cut off")
        unread.add(thread: 7, because: "they did not stop")
        unread.add(memory: 0x8000..<0xb000, because: "it is cut off")
        for _ in 0..<2 {
            unread.add(thread: 8, because: "they did not stop")
            unread.add("the list of descriptors", because: "they did not stop")
        }
        #expect(
            unread.clause
                == "16 KB of memory (it is cut off) and 2 threads, the list of descriptors (they did not stop) could not be read"
        )
    }

    @Test func `more memory than there are addresses is no overflow`() {
        var unread = UnreadParts()
        for _ in 0..<3 { unread.add(memory: 0..<UInt64.max, because: "it is damaged") }
        #expect(unread.clause.contains("TB of memory"))
    }
}
