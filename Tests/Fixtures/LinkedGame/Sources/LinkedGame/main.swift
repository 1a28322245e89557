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

for _ in 0..<3 { loseTwoBoards() }
try playAPuzzle()
kept = Board()
await play()
keepABoard()
switch CommandLine.arguments.dropFirst().first {
case "abort": abort()
case "kill": kill(getpid(), SIGKILL)
case "mark": loadALevel()
default: break
}
debugLog("over")
print("played")
