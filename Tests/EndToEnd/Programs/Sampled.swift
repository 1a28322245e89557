// Makes so many objects that those of a sample die faster than their pages can be taken away one by one. `follow` and
// `write` use each object right after its death, which does no harm as long as its memory is the allocator's.
import Dispatch

final class Board {
    var moves = 1
}

final class Tile {
    let board: Board
    var score: Int

    init(_ board: Board, _ score: Int) {
        self.board = board
        self.score = score
    }
}

@inline(never) func makeTile(_ board: Board, _ score: Int) -> Unmanaged<Tile> {
    Unmanaged.passRetained(Tile(board, score))
}

@inline(never) func movesOfBoard(_ tile: Unmanaged<Tile>) -> Int {
    tile._withUnsafeGuaranteedRef { $0.board.moves }
}

@inline(never) func setScore(_ tile: Unmanaged<Tile>) {
    tile._withUnsafeGuaranteedRef { $0.score = 7 }
}

func play(_ mode: String) {
    let board = Board()
    var sum = 0
    for round in 0..<200_000 {
        let tile = makeTile(board, round)
        sum += movesOfBoard(tile)
        tile.release()
        guard round >= 150_000 else { continue }
        if mode == "follow" { sum += movesOfBoard(tile) }
        if mode == "write" { setScore(tile) }
    }
    precondition(sum >= 200_000)
}

@main
struct Sampled {
    static func main() {
        let mode = CommandLine.arguments.dropFirst().first ?? "healthy"
        if mode == "healthy" {
            DispatchQueue.concurrentPerform(iterations: 4) { _ in play(mode) }
        } else {
            play(mode)
        }
        print("done")
    }
}
