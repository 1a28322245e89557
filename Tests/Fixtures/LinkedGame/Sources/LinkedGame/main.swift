import GameInstrumentation
import GameModel
import Glibc
import InstrumentedGames

#if Profiling
import InstrumentationServing
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

/// Gives back what a warning asks for, before it goes on.
@inline(never)
func giveBackBoards() {
    manyBoards = (0..<1_000).map { _ in Board() }
    Instrumentation.onMemoryWarning { manyBoards = [] }
    Instrumentation.onMemoryWarning { print("removed, and called") }.remove()
    Instrumentation.sendMemoryWarning()
    print(manyBoards.isEmpty ? "given back" : "kept")
}

@inline(never)
func playAPuzzle() throws {
    let puzzle = Instrumented(try Puzzle(length: 3))
    for _ in 0..<4 {
        puzzle.tilt(to: .down)
        puzzle.tilt(to: .up)
    }
    precondition(puzzle.isSolved && puzzle.moveCount == 8)
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

@inline(never)
func shuffle(_ rounds: Int) -> Int {
    var sum = 0
    for round in 0..<rounds { sum = sum &* 31 &+ round.hashValue }
    return sum
}

/// Holds words that look like addresses, in a C structure and in what a task is made of.
final class Scene {
    var status = stat()
    let board = Board()
    weak var other: Board?
    var task: Task<Int, Never>?
    let view = View()
}

final class View {
    weak var scene: Scene?
}

#if Profiling
/// Known numbers of boards that live and that are gone, and what is said of them meanwhile.
@inline(never)
func writeFigures() async {
    for number in 0..<20_000 {
        kept = Board()
        if number % 10 == 0, let kept { manyBoards.append(kept) }
    }
    let endpoints = Endpoints()
    for (target, file) in [
        ("/debug/pprof/heap", "heap.pb"), ("/debug/pprof/profile?seconds=1", "cpu.pb"), ("/metrics", "metrics.txt"),
    ] {
        async let answer = endpoints.respond(to: target)
        if target.contains("profile") { print(shuffle(100_000_000) != 0) }
        let response = await answer
        print(response.status, file)
        let output = fopen(file, "w")
        fwrite(response.body, 1, response.body.count, output)
        fclose(output)
    }
}
#endif

@inline(never)
func printAScene() {
    let scene = Scene()
    scene.status.st_size = 0x1234_5678_9012
    scene.board.rival = scene.board
    scene.other = scene.board
    scene.task = Task { 1 }
    scene.view.scene = scene
    print(ObjectTree(scene, depth: 2))
    print(ObjectTree(scene).search("Board").joined(separator: "\n"))
}

/// More names than are kept, the last first: on a thread that had no probe before.
@inline(never)
func useTooManyNames() async {
    let names = (0..<20_000).map { Probe.Name("call \($0)") }
    await Task.detached { for name in names.reversed() { Probe.event(name) } }.value
}

/// Whether a thread that blocks every signal sees that, and the mask of before when it has set that again.
@inline(never)
func blockedByAFullMask() -> Bool {
    var full = sigset_t()
    var before = sigset_t()
    var blocked = sigset_t()
    var after = sigset_t()
    sigfillset(&full)
    pthread_sigmask(SIG_BLOCK, &full, &before)
    pthread_sigmask(SIG_SETMASK, &before, &blocked)
    pthread_sigmask(SIG_SETMASK, nil, &after)
    return [SIGTRAP, SIGSTKFLT, SIGUSR1, 62].allSatisfy {
        sigismember(&blocked, $0) == 1 && sigismember(&after, $0) == sigismember(&before, $0)
    }
}

/// Records a part of the run from within.
@inline(never)
func recordAPart() throws(Instrumentation.StartError) {
    Instrumentation.onFinding { finding in
        let type: String = finding.type
        let file: String = finding.file
        print("told: \(type) \(file) \(finding.line > 0) \(finding.description.hasSuffix("is still live"))")
    }
    try Instrumentation.start(path: "part.gptrace", instruments: [.allocations, .time])
    keepABoard()
    kept?.cards.append(shuffle(5_000_000))
    print(Instrumentation.isRecording, Instrumentation.snapshot("middle"), blockedByAFullMask())
    Instrumentation.stop()
    print(blockedByAFullMask())
    do {
        try Instrumentation.start(path: "second.gptrace")
    } catch {
        print(Instrumentation.isRecording, error)
    }
}

/// Uses an object that was deallocated after recording began.
@inline(never)
func useADeadBoard() throws {
    try Instrumentation.start(path: "part.gptrace", instruments: .zombies)
    let board = Unmanaged.passRetained(Board())
    board.release()
    board.takeUnretainedValue().rival = nil
}

nonisolated(unsafe) var manyBoards: [Board] = []
nonisolated(unsafe) var manyScores: [Score] = []

/// A handler that receives one finding gives up the other objects.
@inline(never)
func freeWhatIsToldNext() throws(Instrumentation.StartError) {
    try Instrumentation.start(path: "part.gptrace", instruments: .allocations)
    manyBoards = [Board(), Board()]
    for board in manyBoards { Instrumentation.expectDeallocated(board) }
    Instrumentation.onFinding { finding in
        print("told: \(finding.type)")
        manyBoards = []
        for _ in 0..<100 { manyScores.append(Score()) }
    }
    Instrumentation.snapshot("both")
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
case "warn": giveBackBoards()
case "tree": printAScene()
#if Profiling
case "figures": await writeFigures()
#endif
case "names": await useTooManyNames()
case "grow": repeatGames(keeping: true)
case "repeat": repeatGames(keeping: false)
case "start":
    print(blockedByAFullMask())
    try recordAPart()
case "told": try freeWhatIsToldNext()
case "zombie": try useADeadBoard()
case "wait": makeBoardsForAWhile()
default: break
}
Instrumentation.log(to: .off)
debugLog("over")
print("played")
