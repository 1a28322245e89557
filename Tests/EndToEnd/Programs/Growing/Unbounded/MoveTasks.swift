// Each move of the player starts a hint task that is kept in an array and never removed.
import Foundation

final class HintContext: @unchecked Sendable {
    let move: Int
    let cells: [Int]
    var best = 0
    init(move: Int, cells: [Int]) {
        self.move = move
        self.cells = cells
    }
}
final class Puzzle {
    private(set) var cells: [Int]
    init(size: Int) { cells = Array((0..<size).reversed()) }
    func swap(_ a: Int, _ b: Int) { cells.swapAt(a % cells.count, b % cells.count) }
    var isSolved: Bool { zip(cells, cells.dropFirst()).allSatisfy { $0 < $1 } }
}
@MainActor final class HintService {
    private var tasks: [Task<Int, Never>] = []
    private var contexts: [HintContext] = []
    func request(_ move: Int, _ puzzle: Puzzle) {
        let context = HintContext(move: move, cells: puzzle.cells)
        contexts.append(context)
        tasks.append(
            Task.detached {
                var inversions = 0
                for (i, a) in context.cells.enumerated() {
                    for b in context.cells[i...] where b < a { inversions += 1 }
                }
                context.best = inversions
                return inversions
            })
    }
    func lastHint() async -> Int { await tasks.last?.value ?? 0 }
    var count: Int { tasks.count }
}
@MainActor final class GameController {
    private let puzzle = Puzzle(size: 24)
    private let hints = HintService()
    private var score = 0
    private var seed: UInt64 = 8
    private func random(_ bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }
    func play(moves: Int) async {
        for move in 0..<moves {
            puzzle.swap(random(24), random(24))
            hints.request(move, puzzle)
            let hint = await hints.lastHint()
            score += hint > 100 ? 1 : 2
            if puzzle.isSolved { break }
        }
        print("score", score, "hints", hints.count)
    }
}
@main struct Main {
    static func main() async { await GameController().play(moves: 700) }
}
