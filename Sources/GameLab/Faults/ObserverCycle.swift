import Foundation
import GameModel

/// Counts the tilts of a puzzle that it keeps.
///
/// Unchecked: it is used on the main thread alone, on which the puzzle posts.
final class ScoreKeeper: @unchecked Sendable {
    let puzzle: Puzzle
    private(set) var tilts = 0
    private var token: (any NSObjectProtocol)?

    init(puzzle: Puzzle) {
        self.puzzle = puzzle
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }

    @inline(never)
    func startObserving() {
        // The fault: the block captures the keeper, so the deinitializer that ends the observation never runs.
        token = NotificationCenter.default.addObserver(forName: Puzzle.didTilt, object: puzzle, queue: nil) { _ in
            self.tilts += 1
        }
    }
}

/// Loses an observer to its own observation.
enum ObserverCycle: Fault {
    static let name = "observer-cycle"
    static let summary = "An observer keeps a token whose block captures the observer; the center keeps both."

    static func commit(presses: Int) {
        for _ in 0..<presses {
            guard let keeper = makeKeeper() else { continue }
            say("lost a score keeper after \(keeper.tilts) tilts")
        }
    }

    @inline(never)
    static func makeKeeper() -> ScoreKeeper? {
        guard let puzzle = try? Puzzle() else { return nil }
        let keeper = ScoreKeeper(puzzle: puzzle)
        keeper.startObserving()
        puzzle.tilt(to: .right)
        puzzle.tilt(to: .down)
        return keeper
    }
}
