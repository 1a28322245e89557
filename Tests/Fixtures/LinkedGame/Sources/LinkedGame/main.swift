import Glibc
import Instrumentation

#if Profiling
import GameModel
import InstrumentedGames
#endif

final class Board {
    var rival: Board?
    var cards = [Int](repeating: 1, count: 10)
}

nonisolated(unsafe) var kept: Board?

@inline(never)
func loseTwoBoards() {
    let one = Board()
    let other = Board()
    one.rival = other
    other.rival = one
}

@inline(never)
func play() async {
    for turn in 0..<100 {
        Probe.interval("turn") {
            Probe.interval("deal") { kept?.cards = [Int](repeating: turn, count: 100) }
        }
        await Probe.interval("think") { try? await Task.sleep(nanoseconds: 10_000) }
        Probe.counter("score", turn)
        Probe.frame()
    }
    Probe.event("won")
}

@inline(never)
func keepABoard() {
    let board = Board()
    Instrumentation.expectDeallocated(board)
    kept = board
}

@inline(never)
func loadALevel() {
    Instrumentation.mark("level 2")
    kept = Board()
}

@inline(never)
func playAPuzzle() throws {
    #if Profiling
    let puzzle = Instrumented(try Puzzle(length: 3))
    for _ in 0..<4 {
        puzzle.tilt(to: .down)
        puzzle.tilt(to: .up)
    }
    precondition(puzzle.isSolved && puzzle.moveCount == 8)
    #endif
}

final class Score {
    var points = 0
}

/// Keeps every score: it grows. What else it keeps is bounded, made late, or one block that is made larger.
final class Scores {
    nonisolated(unsafe) static let shared = Scores()
    nonisolated(unsafe) static let best = Score()
    private var all: [Score] = []
    private var names: Set<String> = []
    private var recent: [String: Score] = [:]
    private var moves: [Int] = []
    private var log: [Int] = []

    @inline(never)
    func note(_ game: Int) {
        for number in 0..<10 {
            names.insert("the name of player number \(number)")
            if game <= 5 { recent["the score of game \(game), player \(number)"] = makeScore() }
            log.append(game * number)
        }
        moves.removeAll(keepingCapacity: true)
        for move in 0..<(100 * game) { moves.append(move) }
        if game >= 4 { Self.best.points = max(Self.best.points, game) }
    }

    @inline(never)
    func keep() { for _ in 0..<3 { all.append(makeScore()) } }

    @inline(never)
    private func makeScore() -> Score { Score() }
}

@inline(never)
func repeatGames(keeping: Bool) {
    Instrumentation.scenario("game", repetitions: 9) { game in
        Scores.shared.note(game)
        if keeping { Scores.shared.keep() }
    }
}

@inline(never)
func makeBoardsForAWhile() {
    var boards: [Board] = []
    for number in 0..<300 {
        boards.append(Board())
        if number == 50 {
            print("ready")
            fflush(nil)
        }
        usleep(10_000)
    }
    precondition(boards.count == 300)
    manyBoards = boards
}

nonisolated(unsafe) var manyBoards: [Board] = []

for _ in 0..<3 { loseTwoBoards() }
try playAPuzzle()
kept = Board()
await play()
keepABoard()
switch CommandLine.arguments.dropFirst().first {
case "abort": abort()
case "kill": kill(getpid(), SIGKILL)
case "mark": loadALevel()
case "grow": repeatGames(keeping: true)
case "repeat": repeatGames(keeping: false)
case "wait": makeBoardsForAWhile()
default: break
}
debugLog("over")
print("played")
