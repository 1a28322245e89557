// Monte Carlo tree search for a small game: the tree of a move grows with each playout, and is dropped with the move.
import Foundation

struct Board {
    var heaps: [Int]
    var player = 0
    var moves: [(Int, Int)] {
        heaps.indices.flatMap { heap in (1...3).filter { $0 <= heaps[heap] }.map { (heap, $0) } }
    }
    func after(_ move: (Int, Int)) -> Board {
        var new = self
        new.heaps[move.0] -= move.1
        new.player = 1 - player
        return new
    }
    var isOver: Bool { heaps.allSatisfy { $0 == 0 } }
}
struct Random {
    var state: UInt64
    mutating func below(_ n: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % n
    }
}
final class TreeNode {
    let board: Board
    let move: (Int, Int)?
    weak var parent: TreeNode?
    var children: [TreeNode] = []
    var untried: [(Int, Int)]
    var visits = 0, wins = 0.0
    init(board: Board, move: (Int, Int)?, parent: TreeNode?) {
        self.board = board
        self.move = move
        self.parent = parent
        untried = board.moves
    }
    func best() -> TreeNode? {
        children.max { a, b in score(a) < score(b) }
    }
    private func score(_ child: TreeNode) -> Double {
        child.wins / Double(child.visits) + 1.2 * (Double(visits).squareRoot() / Double(child.visits + 1))
    }
}
final class Searcher {
    private var random = Random(state: 4)
    private(set) var nodes = 0
    func move(on board: Board, playouts: Int) -> (TreeNode, (Int, Int)?) {
        let root = TreeNode(board: board, move: nil, parent: nil)
        for _ in 0..<playouts {
            var node = root
            while node.untried.isEmpty, let next = node.best() { node = next }
            if !node.untried.isEmpty {
                let move = node.untried.remove(at: random.below(node.untried.count))
                let child = TreeNode(board: node.board.after(move), move: move, parent: node)
                node.children.append(child)
                nodes += 1
                node = child
            }
            var state = node.board
            while !state.isOver {
                let all = state.moves
                state = state.after(all[random.below(all.count)])
            }
            var up: TreeNode? = node
            while let one = up {
                one.visits += 1
                if state.player == one.board.player { one.wins += 0 } else { one.wins += 1 }
                up = one.parent
            }
        }
        return (root, root.children.max { $0.visits < $1.visits }?.move)
    }
}
var board = Board(heaps: [7, 9, 11, 6])
let searcher = Searcher()
var tree: TreeNode?
var played = 0
while !board.isOver, played < 6 {
    let (root, move) = searcher.move(on: board, playouts: 900)
    tree = root
    guard let move else { break }
    board = board.after(move)
    played += 1
}
print(played, "moves,", searcher.nodes, "nodes, last tree", tree?.visits ?? 0)
