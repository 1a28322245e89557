import CTraceFormat
import GameprofTrace
import Testing

@testable import GameprofHeap

@Suite("Memory of the C library in a recorded process") struct EndedStacksTests {
    private static let (low, size): (UInt64, UInt64) = (0x7e00_0000_0000, 0x8000)
    private static let control: UInt64 = low + size - 0x1000
    /// In words of a control block.
    private static let (id, state, start, bounds): (Int, Int, Int, Int) = (90, 97, 200, 210)

    /// A thread's stack with a local variable and an argument that name blocks, and its result.
    private func stack(id: UInt64, state: UInt64, guarded: Bool = true) throws -> (Bool, Bool, Bool) {
        let clone = FakeClone()
        let (local, argument, result) = (clone.block(40), clone.block(40), clone.block(40))
        var words = [UInt64](repeating: 0, count: Int(Self.size) / 8)
        let block = Int(Self.control - Self.low) / 8
        words[block - 10] = local
        (words[block], words[block + 2]) = (Self.control, Self.control)
        (words[block + Self.id], words[block + Self.state]) = (id, state)
        (words[block + Self.start + 1], words[block + 205]) = (argument, result)
        words.replaceSubrange(
            block + Self.bounds..<block + Self.bounds + 3, with: [Self.low, Self.size, guarded ? 4096 : 0])
        clone.map(words, at: Self.low)
        clone.add(GP_ROOT_MAPPED, Self.low, Self.low + Self.size)
        clone.messages = [
            HeapImageRecord(
                kind: UInt32(GP_SEARCH_CONTROL_BLOCKS), first: UInt64(8 * Self.id),
                second: UInt64(8 * Self.state) << 32 | UInt64(8 * Self.start), bytes: [])
        ]
        return (try clone.isNamed(local), try clone.isNamed(argument), try clone.isNamed(result))
    }

    @Test("the stack of a thread that has ended holds nothing but a result that may be asked for")
    func endedStacks() throws {
        #expect(try stack(id: 0, state: 0x30) == (false, false, false))
        #expect(try stack(id: 0xffff_ffff, state: 0x30) == (false, false, false))
        #expect(try stack(id: 0, state: 0x10) == (false, false, true))
        // The C library makes the control block of a thread, with its argument, before the thread is there.
        #expect(try stack(id: 0, state: 0) == (true, true, true))
        #expect(try stack(id: 12, state: 0x10) == (true, true, true))
        // The program has made the stack.
        #expect(try stack(id: 0, state: 0x30, guarded: false) == (true, true, true))
    }

    @Test("pieces of a block whose mapping was divided hold nothing by themselves")
    func pieces() throws {
        let clone = FakeClone()
        let object = clone.block(40)
        let (start, size): (UInt64, UInt64) = (0x7e00_0000_0000, 0x10000)
        var words = [UInt64](repeating: 0, count: Int(size) / 8)
        words[1] = size | 2
        (words[0x9000 / 8], words[0x9000 / 8 + 1]) = (object, start + 16)
        clone.map(words, at: start, block: size - 16)
        clone.add(GP_ROOT_MAPPED, start + 0x8000, start + size)
        #expect(try !clone.isNamed(object) && !clone.isNamed(start + 16))
        clone.variables(3, [object])
        #expect(try clone.isNamed(object))
    }

    @Test("blocks of the dynamic linker, which nothing that is searched names, are in use")
    func loader() throws {
        let clone = FakeClone()
        let (vector, lost) = (clone.block(40, flags: 1), clone.block(40))
        #expect(try clone.isNamed(vector) && !clone.isNamed(lost))
    }
}
