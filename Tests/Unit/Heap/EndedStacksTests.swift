import CTraceFormat
import GameprofTrace
import Testing

@testable import GameprofHeap

@Suite("Memory of the C library in a recorded process") struct EndedStacksTests {
    private static let (low, size): (UInt64, UInt64) = (0x7e00_0000_0000, 0x8000)
    private static let control: UInt64 = low + size - 0x1000
    /// In words of a control block.
    private static let (id, state, start, bounds): (Int, Int, Int, Int) = (90, 97, 200, 210)

    /// Whether something is held by a local variable of a thread, by its argument, and by its result.
    private func stack(id: UInt64, state: UInt64, guarded: Bool = true) throws -> (Bool, Bool, Bool) {
        let clone = FakeClone()
        var words = [UInt64](repeating: 0, count: Int(Self.size) / 8)
        let block = Int(Self.control - Self.low) / 8
        (words[block], words[block + 2]) = (Self.control, Self.control)
        (words[block + Self.id], words[block + Self.state]) = (id, state)
        words.replaceSubrange(
            block + Self.bounds..<block + Self.bounds + 3, with: [Self.low, Self.size, guarded ? 4096 : 0])
        clone.map(words, at: Self.low)
        let layout = EndedStacks.Layout(
            id: UInt64(8 * Self.id), state: UInt64(8 * Self.state), start: UInt64(8 * Self.start))
        let stacks = EndedStacks(
            try clone.frozen().image, layout, in: [Self.low..<Self.low + Self.size], outside: [])
        func isHeld(_ word: Int) -> Bool {
            let address = Self.low + 8 * UInt64(word)
            return stacks.results.contains { $0.contains(address) }
                || !stacks.ranges.contains { $0.contains(address) }
        }
        return (isHeld(block - 10), isHeld(block + Self.start + 1), isHeld(block + 205))
    }

    @Test("a control block is laid out as this glibc's where a thread has its id there")
    func layout() throws {
        let clone = FakeClone()
        var words = [UInt64](repeating: 0, count: 512)
        words[Self.id] = 77
        clone.map(words, at: Self.low)
        let memory = try clone.frozen().image
        let layout = EndedStacks.Layout(memory, [(thread: 77, pointer: Self.low)])
        #expect(layout?.id == UInt64(8 * Self.id) && layout?.state == UInt64(8 * Self.state))
        let isFoundOfAnother = EndedStacks.Layout(memory, [(thread: 78, pointer: Self.low)]) != nil
        #expect(!isFoundOfAnother)
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
