/// A healthy game that did not go as its rules say.
enum PlayError: Error, CustomStringConvertible {
    case puzzleRefusedMove(number: Int)
    case puzzleNotSolved(moves: Int)
    case memoryNotSolved(turns: Int)

    var description: String {
        switch self {
        case .puzzleRefusedMove(let number): "The puzzle refused the legal move \(number)."
        case .puzzleNotSolved(let moves): "The puzzle is not solved after \(moves) moves."
        case .memoryNotSolved(let turns): "The memory game is not solved after \(turns) turned cards."
        }
    }
}
