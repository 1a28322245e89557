import Testing

@testable import GameprofMemoryImage

private final class Words {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ words: [UInt64]) {
        bytes = .allocate(byteCount: 8 * words.count, alignment: 16)
        words.withUnsafeBytes { bytes.copyMemory(from: $0) }
    }

    deinit { bytes.deallocate() }
}

extension MemoryImage {
    fileprivate func add(_ words: [UInt64], at start: UInt64) {
        let memory = Words(words)
        add(UnsafeRawBufferPointer(memory.bytes), at: start, owner: memory)
    }
}

@Suite("Limits of images") struct ImageLimitsTests {
    @Test func `the main arena is found behind memory that is absent`() throws {
        let (libc, heap): (UInt64, UInt64) = (0x7f00_0000_0000, 0x5000_0000_0000)
        let image = MemoryImage(
            mappings: [
                .init(start: libc, end: libc + 64 << 20, isWritable: true, file: "/lib/libc.so.6"),
                .init(start: heap, end: heap + 0x1000, isWritable: true),
            ], threads: [], machine: 62)
        let (state, arena) = (MallocState.known[0], libc + 32 << 20)
        var words = [UInt64](repeating: 0, count: 512)
        words[Int(state.top) / 8] = heap + 0x2d0
        words[Int(state.next) / 8] = arena
        for bin in 0..<state.binCount {
            let place = state.bins + 16 * bin
            for word in 0..<2 { words[Int(place) / 8 + word] = arena + place - 16 }
        }
        image.add(words, at: arena)
        words = [UInt64](repeating: 0, count: 512)
        (words[1], words[0x290 / 8 + 1], words[0x2d0 / 8 + 1]) = (0x291, 0x41, 0xd31)
        image.add(words, at: heap)
        #expect(try MallocWalk.blocks(of: image).map.count == 2)
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
}
