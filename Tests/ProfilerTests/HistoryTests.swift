import Testing
import TraceFile

@testable import Profiler

@Suite struct HistoryTests {
    private static let board = TypeID(1)
    private static let card = TypeID(2)

    private static func change(
        _ kind: CountChangeRecord.Kind, type: TypeID = board, thread: UInt32 = 1, strong: UInt32 = 1, at time: UInt64
    ) -> CountChangeRecord {
        CountChangeRecord(kind: kind, object: 16, type: type, thread: ThreadID(thread), strong: strong, time: time)
    }

    /// Memory is used again: what a board went through is not told of a card.
    @Test func anObjectHasNoHistoryOfAnotherThatLivedThereBefore() {
        let lives = CountLives([
            Self.change(.born, at: 1), Self.change(.retain, strong: 2, at: 2), Self.change(.born, at: 5),
            Self.change(.release, strong: 0, at: 6),
        ])
        #expect(lives.life(of: 16, type: Self.board).map(\.time) == [5, 6])
        #expect(lives.life(of: 16, type: Self.board, before: 3).map(\.time) == [1, 2])
        #expect(lives.life(of: 16, type: Self.card).isEmpty)
        #expect(lives.life(of: 32, type: Self.board).isEmpty)
    }

    @Test func whatACountShowsAndNobodySawIsAStep() {
        let life = [Self.change(.born, at: 1), Self.change(.retain, strong: 3, at: 2)]
        let steps = CountStep.steps(of: life) { _ in SymbolicatedStack() }
        #expect(steps.map(\.isUnseen) == [false, true, false])
        #expect(steps.map(\.record.strong) == [1, 2, 3])
    }

    /// Whatever numbers stand in a trace.
    @Test func countsBeyondAllReasonEndNothing() {
        let life = [
            Self.change(.born, strong: 0, at: 1), Self.change(.retain, thread: 2, strong: .max, at: 2),
            Self.change(.release, thread: 2, strong: .max - 1, at: 3),
        ]
        #expect(CountStep.steps(of: life) { _ in SymbolicatedStack() }.last?.record.strong == UInt32.max - 1)
    }
}
