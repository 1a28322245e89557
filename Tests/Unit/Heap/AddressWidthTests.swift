import Testing

@testable import GameprofHeap

private final class Owner {}

@Suite("Width of addresses") struct AddressWidthTests {
    @Test(arguments: [(UInt16(62), UInt64(0x7fff_f7c0_0010)), (183, 0xaaaa_f7c0_0010)])
    func `a side table and a ring of arenas are found at the highest addresses`(machine: UInt16, base: UInt64) {
        let memory = MemoryImage(mappings: [], threads: [], machine: machine)
        var words = [UInt64](repeating: 0, count: 512)
        let (object, table, arena) = (base, base + 64, base + 256)
        words[1] = 3 << 62 | table >> 3
        (words[8], words[10], words[11]) = (object, 1 << 33 | 1 << 1, 2)
        words[Int(arena - base + MallocState.known[0].next) / 8] = arena
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: words.count * 8, alignment: 16)
        defer { bytes.deallocate() }
        words.withUnsafeBytes { bytes.copyMemory(from: $0) }
        memory.add(UnsafeRawBufferPointer(bytes), at: base, owner: Owner())
        let counts = ReferenceCounts(of: object, in: memory)
        #expect(counts.sideTable == table && counts.strong == 2 && counts.weak == 1)
        #expect(MallocState.known[0].ring(from: arena, memory) == [arena])
    }
}
