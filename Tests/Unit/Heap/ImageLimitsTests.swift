import Testing

@testable import GameprofHeap

private final class Words {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ words: [UInt64]) {
        bytes = .allocate(byteCount: 8 * words.count, alignment: 16)
        words.withUnsafeBytes { bytes.copyMemory(from: $0) }
    }

    deinit { bytes.deallocate() }
}

extension MemoryImage {
    fileprivate func add(_ words: [UInt64], at start: UInt64, untouched: [Range<UInt64>] = []) {
        let memory = Words(words)
        add(UnsafeRawBufferPointer(memory.bytes), at: start, owner: memory, untouched: untouched)
    }
}

@Suite("Limits of images") struct ImageLimitsTests {
    @Test func `the main arena is found behind memory that is absent`() throws {
        let (libc, heap): (UInt64, UInt64) = (0x7f00_0000_0000, 0x5000_0000_0000)
        let image = Self.image(libc: libc, heap: heap)
        image.add(Self.arena(at: libc + 32 << 20, top: heap + 0x2d0), at: libc + 32 << 20)
        var words = [UInt64](repeating: 0, count: 512)
        (words[1], words[0x290 / 8 + 1], words[0x2d0 / 8 + 1]) = (0x291, 0x41, 0xd31)
        image.add(words, at: heap)
        #expect(try MallocWalk.blocks(of: image)?.map.count == 2)
    }

    @Test func `what was not understood of a heap is no memory of malloc's`() throws {
        let (libc, heap): (UInt64, UInt64) = (0x7f00_0000_0000, 0x5000_0000_0000)
        let image = Self.image(libc: libc, heap: heap)
        image.add(Self.arena(at: libc, top: heap + 0x800), at: libc)
        var words = [UInt64](repeating: 0, count: 512)
        // The second chunk is longer than the heap.
        (words[1], words[0x290 / 8 + 1]) = (0x291, 0x4_0001)
        image.add(words, at: heap)
        let walk = try #require(try MallocWalk.blocks(of: image)).walk
        #expect(
            walk.problems == ["A heap of malloc is damaged, or was just being changed: the rest of it was left out."])
        #expect(walk.ownRanges.contains(heap..<heap + 0x290))
    }

    @Test(arguments: [true, false])
    func `an arena that was never used is found, and no other word is one`(isUnused: Bool) throws {
        let libc: UInt64 = 0x7f00_0000_0000
        let image = Self.image(libc: libc, heap: 0x5000_0000_0000)
        var words = [UInt64](repeating: 0, count: 512)
        let state = MallocState.known[0]
        (words[Int(state.next) / 8], words[Int(state.next) / 8 + 2]) = (libc, isUnused ? 1 : 2)
        image.add(words, at: libc)
        guard isUnused else {
            #expect(try MallocWalk.blocks(of: image) == nil)
            return
        }
        let (map, walk) = try #require(try MallocWalk.blocks(of: image))
        #expect(map.count == 0 && walk.problems == ["There are no blocks: the program has not called malloc."])
    }

    private static func image(libc: UInt64, heap: UInt64) -> MemoryImage {
        MemoryImage(
            mappings: [
                .init(start: libc, end: libc + 64 << 20, isWritable: true, file: "/lib/libc.so.6"),
                .init(start: heap, end: heap + 0x1000, isWritable: true),
            ], threads: [], machine: 62)
    }

    private static func arena(at arena: UInt64, top: UInt64) -> [UInt64] {
        let state = MallocState.known[0]
        var words = [UInt64](repeating: 0, count: 512)
        words[Int(state.top) / 8] = top
        words[Int(state.next) / 8] = arena
        for bin in 0..<state.binCount {
            let place = state.bins + 16 * bin
            for word in 0..<2 { words[Int(place) / 8 + word] = arena + place - 16 }
        }
        return words
    }

    @Test(arguments: [(UInt64(2), 2), (0xffff, nil)])
    func `a signature has as many requirements as a program can write`(claimed: UInt64, read: Int?) throws {
        let image = MemoryImage(mappings: [], threads: [], machine: 62)
        var words = [UInt64](repeating: 0, count: 16)
        // A generic structure; behind its fields, at 36, stands its signature: one parameter.
        (words[0], words[4], words[5]) = (0x91, 1 << 32 | claimed << 48, 0)
        image.add(words, at: 0x10000)
        let descriptor = try #require(ContextDescriptor(image, 0x10000))
        #expect(descriptor.signature?.requirements.count == read)
    }

    @Test func `a search passes over memory that was never touched, which is zero all the same`() {
        let image = MemoryImage(mappings: [], threads: [], machine: 62)
        let (start, size): (UInt64, UInt64) = (0x10_0000, 0x10_0000)
        let (hole, small) = (start + 0x1_0000..<start + 0x8_0000, start + 0x9_0000..<start + 0x9_1000)
        image.add(Array(repeating: 0, count: Int(size) / 8), at: start, untouched: [hole, small])
        image.add([7], at: start + size + 16)
        #expect(image.piece(at: start)?.count == 0x1_0000)
        #expect(image.piece(at: hole.lowerBound) == nil && image.next(from: hole.lowerBound + 8) == hole.upperBound)
        #expect(image.piece(at: hole.upperBound)?.count == 0x8_0000, "a short run costs less than finding it")
        #expect(image.word(hole.lowerBound + 64) == 0 && image.covers(start, count: size))
        #expect(image.next(from: start + size) == start + size + 16)
    }

    @Test func `of memory that was known before, what is untouched in other memory is none`() {
        let image = MemoryImage(mappings: [], threads: [], machine: 62)
        image.add(Array(repeating: 5, count: 0x4_0000 / 8), at: 0x2_0000)
        image.add(
            Array(repeating: 0, count: 0x8_0000 / 8), at: 0x1_0000, untouched: [0x1_0000..<0x9_0000])
        #expect(image.next(from: 0x1_0000) == 0x2_0000 && image.piece(at: 0x2_0000)?.count == 0x4_0000)
        #expect(image.next(from: 0x6_0000) == .max && image.word(0x6_0000) == 0)
    }
}
