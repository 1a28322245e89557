import Foundation

// Connect Four with a search opponent, a copy-on-write board and a replay.

enum Side: Int8 {
    case none = 0, red = 1, yellow = 2
    var other: Side { self == .red ? .yellow : .red }
}

struct Grid {
    private final class Storage {
        var cells: [Side]
        var heights: [Int]

        init(cells: [Side], heights: [Int]) {
            self.cells = cells
            self.heights = heights
        }

        func copy() -> Storage { Storage(cells: cells, heights: heights) }
    }

    static let columns = 7
    static let rows = 6
    private var storage = Storage(
        cells: Array(repeating: .none, count: 42),
        heights: Array(repeating: 0, count: 7))

    subscript(column: Int, row: Int) -> Side { storage.cells[row * Self.columns + column] }

    var moves: [Int] { (0..<Self.columns).filter { storage.heights[$0] < Self.rows } }

    mutating func drop(_ side: Side, in column: Int) {
        if !isKnownUniquelyReferenced(&storage) {
            storage = storage.copy()
        }
        let row = storage.heights[column]
        storage.cells[row * Self.columns + column] = side
        storage.heights[column] = row + 1
    }

    var key: String { String(storage.cells.map { Character(UnicodeScalar(UInt8($0.rawValue) + 48)) }) }

    func wins(_ side: Side) -> Bool {
        for column in 0..<Self.columns {
            for row in 0..<Self.rows where self[column, row] == side {
                for (dc, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                    let end = (column + 3 * dc, row + 3 * dr)
                    guard (0..<Self.columns).contains(end.0), (0..<Self.rows).contains(end.1) else { continue }
                    if (1...3).allSatisfy({ self[column + $0 * dc, row + $0 * dr] == side }) { return true }
                }
            }
        }
        return false
    }
}

/// A line that was looked at; children are owned downwards, parents are looked up only.
final class SearchNode {
    let move: Int
    let grid: Grid
    unowned let tree: SearchTree
    private(set) weak var parent: SearchNode?
    private(set) var children: [SearchNode] = []
    var score = 0

    init(move: Int, grid: Grid, tree: SearchTree, parent: SearchNode?) {
        self.move = move
        self.grid = grid
        self.tree = tree
        self.parent = parent
    }

    func expand(_ side: Side) {
        tree.visited += 1
        children = grid.moves.map { column in
            var next = grid
            next.drop(side, in: column)
            return SearchNode(move: column, grid: next, tree: tree, parent: self)
        }
    }

    func prune() {
        children.removeAll()
    }

    var depth: Int {
        var steps = 0
        var cursor = parent
        while let node = cursor {
            steps += 1
            cursor = node.parent
        }
        return steps
    }
}

final class SearchTree {
    var root: SearchNode?
    var visited = 0

    init(_ grid: Grid) {
        root = SearchNode(move: -1, grid: grid, tree: self, parent: nil)
    }
}

protocol Opponent: AnyObject {
    func choose(_ grid: Grid, for side: Side) -> Int
}

final class Minimax: Opponent {
    private var table: [String: Int] = [:]
    private let tableLimit = 500
    private let depth: Int
    private lazy var weights: [Int] = {
        let middle = Grid.columns / 2
        return (0..<Grid.columns).map { self.depth + middle - abs($0 - middle) }
    }()
    var onThought: ((Int) -> Void)?

    init(depth: Int) {
        self.depth = depth
    }

    func choose(_ grid: Grid, for side: Side) -> Int {
        let tree = SearchTree(grid)
        guard let root = tree.root else { return 0 }
        root.expand(side)
        for child in root.children {
            child.score = -search(child, side.other, depth - 1)
            child.prune()
        }
        onThought?(tree.visited)
        let best = root.children.max { ($0.score, weights[$0.move]) < ($1.score, weights[$1.move]) }
        return best?.move ?? 0
    }

    private func search(_ node: SearchNode, _ side: Side, _ left: Int) -> Int {
        if node.grid.wins(side.other) { return -100 + node.depth }
        guard left > 0 else { return 0 }
        let key = "\(side.rawValue)\(left)" + node.grid.key
        if let known = table[key] { return known }
        node.expand(side)
        var best = -1000
        for child in node.children {
            best = max(best, -search(child, side.other, left - 1))
        }
        node.prune()
        if table.count >= tableLimit { table.removeAll(keepingCapacity: true) }
        table[key] = best == -1000 ? 0 : best
        return table[key]!
    }
}

final class Greedy: Opponent {
    func choose(_ grid: Grid, for side: Side) -> Int {
        let moves = grid.moves
        for candidate in [side, side.other] {
            if let hit = moves.first(where: { column in
                var next = grid
                next.drop(candidate, in: column)
                return next.wins(candidate)
            }) { return hit }
        }
        return moves[moves.count / 2]
    }
}

final class Replay {
    private(set) var moves: [Int] = []

    func begin() { moves.removeAll(keepingCapacity: true) }
    func note(_ column: Int) { moves.append(column) }

    func play(_ visit: (Grid) -> Void) {
        var grid = Grid()
        var side = Side.red
        for column in moves {
            grid.drop(side, in: column)
            side = side.other
            visit(grid)
        }
    }
}

final class Game {
    private let red: Opponent
    private let yellow: Opponent
    private let replay: Replay
    private var thoughts = 0

    init(red: Minimax, yellow: Opponent, replay: Replay) {
        self.red = red
        self.yellow = yellow
        self.replay = replay
        red.onThought = { [weak self] in self?.thoughts += $0 }
    }

    func run() -> String {
        replay.begin()
        var grid = Grid()
        var side = Side.red
        while !grid.moves.isEmpty {
            let column = (side == .red ? red : yellow).choose(grid, for: side)
            grid.drop(side, in: column)
            replay.note(column)
            if grid.wins(side) { return "\(side) wins after \(replay.moves.count), \(thoughts) nodes" }
            side = side.other
        }
        return "drawn"
    }
}

func tournament() {
    let replay = Replay()
    for depth in 1...2 {
        let game = Game(red: Minimax(depth: depth), yellow: Greedy(), replay: replay)
        print(game.run())
    }
    var frames = 0
    replay.play { _ in frames += 1 }
    print("replayed \(frames) frames")
}

tournament()
