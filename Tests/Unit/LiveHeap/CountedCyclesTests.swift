import GameprofBasics
import Testing

@testable import GameprofHeap
@testable import GameprofTrace

/// A cycle of two objects, one with a child, that a word without a type has reached.
@Suite struct CountedCyclesTests {
    private var fixture = LiveHeapFixture()
    private let first, second, child: Int

    init() {
        first = fixture.object("Game.Scene")
        second = fixture.object("Game.Node")
        child = fixture.object("Game.Card")
        fixture.refer(first, "node", second)
        fixture.refer(second, "scene", first)
        fixture.refer(first, "card", child)
    }

    private func lost(
        held: [Int] = [], guessing: [Int] = [], frames: [Int] = [], pointingInto: [Int] = [], addsOwned: Bool = false
    ) -> Set<Int> {
        let heap = fixture.heap
        func set(_ blocks: [Int]) -> BitSet {
            var set = BitSet(count: heap.count)
            for block in blocks { set.insert(block) }
            return set
        }
        var cycles = CountedCycles(
            heap, held: set(held), running: set(held), room: set([]), guessing: set(guessing), frames: set(frames)
        ) { block, _ in !pointingInto.contains(block) }
        if addsOwned { cycles.addOwned() }
        return Set(cycles.lost)
    }

    @Test func `a cycle that owns itself alone is lost with what it alone holds`() {
        #expect(lost() == [first, second, child])
    }

    @Test func `a cycle lives of which a root names a member`() {
        #expect(lost(held: [second]) == [])
    }

    @Test mutating func `a cycle lives that has one more owner than is seen`() {
        fixture = LiveHeapFixture()
        let scene = fixture.object("Game.Scene", strong: 2)
        let node = fixture.object("Game.Node")
        fixture.refer(scene, "node", node)
        fixture.refer(node, "scene", scene)
        #expect(lost() == [])
    }

    @Test(arguments: [Ownership.unmanaged, .conservative])
    mutating func `a cycle lives that living memory names without owning it`(_ ownership: Ownership) {
        let holder = fixture.object(ownership == .unmanaged ? "Game.Timer" : nil)
        fixture.refer(holder, first, ownership)
        #expect(lost() == [])
    }

    @Test mutating func `a cycle is lost into which a word of memory points that does not name it`() {
        let holder = fixture.object(nil)
        fixture.refer(holder, first, .conservative)
        #expect(lost(pointingInto: [holder]) == [first, second, child])
    }

    @Test mutating func `a cycle is lost that only an element names which may be no more`() {
        let buffer = fixture.object("Game.Buffer")
        fixture.refer(buffer, "", first, ownership: .conservative, kind: .element)
        #expect(lost() == [])
        #expect(lost(guessing: [buffer]) == [first, second, child])
    }

    @Test mutating func `a cycle is lost that only a frame of a task names, and memory lives that the frame names too`()
    {
        let (frame, memory) = (fixture.object(nil), fixture.object(nil))
        fixture.refer(frame, first, .conservative)
        fixture.refer(first, memory, .unmanaged)
        fixture.refer(frame, memory, .conservative)
        #expect(lost() == [])
        #expect(lost(frames: [frame]) == [first, second, child])
    }

    @Test(arguments: [Ownership.weak, .unowned])
    mutating func `a cycle is lost that living objects name weakly`(_ ownership: Ownership) {
        let holder = fixture.object("Game.Timer")
        fixture.refer(holder, first, ownership)
        #expect(lost() == [first, second, child])
    }

    @Test mutating func `what a cycle shares with others lives`() {
        fixture = LiveHeapFixture()
        let scene = fixture.object("Game.Scene")
        let card = fixture.object("Game.Card", strong: 2)
        fixture.refer(scene, "me", scene)
        fixture.refer(scene, "card", card)
        #expect(lost() == [scene])
        #expect(lost(addsOwned: true) == [scene])
    }

    @Test mutating func `what lost objects alone own is lost where C memory names it and no root`() {
        let memory = fixture.object(nil)
        fixture.refer(memory, child, .conservative)
        #expect(lost() == [first, second])
        #expect(lost(addsOwned: true) == [first, second, child])
        #expect(lost(held: [child], addsOwned: true) == [first, second])
    }

    @Test mutating func `an object that holds what is not known proves nothing`() {
        let other = fixture.object(nil)
        fixture.refer(second, other, .conservative)
        #expect(lost() == [])
    }

    @Test mutating func `nothing is lost of an empty heap`() {
        fixture = LiveHeapFixture()
        #expect(lost(addsOwned: true) == [])
    }
}

extension LiveHeapFixture {
    /// Without a label.
    fileprivate mutating func refer(_ from: Int, _ to: Int, _ ownership: Ownership) {
        refer(from, "", to, ownership: ownership)
    }
}
