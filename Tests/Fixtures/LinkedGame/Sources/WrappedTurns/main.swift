// One game, built twice: with its models behind `Instrumented` and its turns as probes, and without (Bare).
import GameModel

#if !Bare
import GameInstrumentation
import InstrumentedGames

extension Instrumented where Model: Board {
    @inline(__always)
    func deal(_ count: Int) { call("Board.deal(_:)") { $0.deal(count) } }
}

extension Instrumentation.Finding {
    var title: String { "\(type): \(description)" }
}

func titles(_ findings: [Instrumentation.Finding]) -> [String] { findings.map(\.title) }

func text(_ value: some CustomStringConvertible) -> String { value.description }

func told() -> String {
    do {
        try Instrumentation.start(path: "")
    } catch { return error.description }
    return text(ObjectTree(Board())) + titles([]).joined()
}
#endif

final class Board {
    private(set) var cards: [Int] = []

    @inline(never)
    func deal(_ count: Int) {
        for number in 0..<count { cards.append(number) }
    }
}

#if Bare
typealias Wrapped<Model: AnyObject> = Model
#else
typealias Wrapped<Model: AnyObject> = Instrumented<Model>
#endif

@inline(never)
func hotLoop(_ board: Wrapped<Board>, _ memory: Wrapped<Memory>, _ count: Int) {
    for turn in 0..<count {
        #if !Bare
        let token = Probe.begin("turn")
        #endif
        board.deal(turn)
        memory.turnCard(at: turn)
        memory.checkFlippedCards()
        #if !Bare
        token.end()
        Probe.counter("turns", turn)
        Probe.frame()
        Instrumentation.mark("turn")
        #endif
    }
}

var generator = SplitMix64(seed: 1)
#if Bare
hotLoop(Board(), try Memory(cardCount: 36, using: &generator), 10)
#else
let puzzle = Instrumented(try Puzzle(length: 3))
puzzle.tilt(to: .down)
printObjectTree(puzzle.model)
print(ObjectTree(puzzle.model).search("Puzzle"), puzzle.moveCount)
if puzzle.moveCount < 0 { print(told(), ObjectTree(puzzle.model)) }
hotLoop(Instrumented(Board()), Instrumented(try Memory(cardCount: 36, using: &generator)), 10)
#endif
