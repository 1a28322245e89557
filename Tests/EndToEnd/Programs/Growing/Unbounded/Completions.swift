// A layer stores the completion of each animation for "replay"; the completions hold the views of the moves.
import Foundation

final class View {
    var x = 0.0
    let name: String
    init(name: String) { self.name = name }
}
final class Layer {
    private var completions: [() -> Void] = []
    private var running: [(left: Int, done: () -> Void)] = []
    private(set) var ended = 0
    func animate(frames: Int, completion: @escaping () -> Void) {
        completions.append(completion)
        running.append((frames, completion))
    }
    func step() {
        for index in running.indices { running[index].left -= 1 }
        let done = running.filter { $0.left <= 0 }
        running.removeAll { $0.left <= 0 }
        for one in done {
            one.done()
            ended += 1
        }
    }
    var stored: Int { completions.count }
}
final class Piece {
    let kind: String
    var square: Int
    init(kind: String, square: Int) {
        self.kind = kind
        self.square = square
    }
}
final class BoardScreen {
    private let layer = Layer()
    private var pieces = (0..<16).map { Piece(kind: ["pawn", "rook", "bishop", "king"][$0 % 4], square: $0) }
    private var seed: UInt64 = 2
    private var moves = 0
    private func random(_ bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }
    func move() {
        let piece = pieces[random(pieces.count)]
        let target = random(64)
        let ghost = View(name: "\(piece.kind) to \(target)")
        layer.animate(frames: 6) { [unowned self] in
            ghost.x = Double(target)
            piece.square = target
            moves += 1
        }
        for _ in 0..<3 { layer.step() }
    }
    func finish() { while layer.ended < layer.stored { layer.step() } }
    var summary: String { "\(moves) moves, \(layer.ended) ended, king at \(pieces[3].square)" }
}
let screen = BoardScreen()
for _ in 0..<800 { screen.move() }
screen.finish()
print(screen.summary)
