import Foundation
import GameModel

/// Counts the tilts of a puzzle, with the center in which the puzzle's notifications are posted.
///
/// Unchecked: it is used on the main thread alone, on which the puzzle posts.
final class ScoreKeeper: @unchecked Sendable {
    let puzzle: Puzzle
    private let center: NotificationCenter
    private(set) var tilts = 0
    private var token: (any NSObjectProtocol)?

    init(puzzle: Puzzle, center: NotificationCenter) {
        self.puzzle = puzzle
        self.center = center
    }

    deinit {
        if let token { center.removeObserver(token) }
    }

    @inline(never)
    func startObserving() {
        // The fault: the center keeps the block, the block keeps the keeper, and the keeper keeps the center; the
        // deinitializer that would end the observation never runs.
        token = center.addObserver(forName: Puzzle.didTilt, object: puzzle, queue: nil) { _ in
            self.tilts += 1
        }
    }
}

/// Loses an observer to its own observation.
enum ObserverCycle: Fault {
    static let name = "observer-cycle"
    static let summary = "An observer keeps a notification center whose block captures the observer."

    static func commit(presses: Int) {
        for _ in 0..<presses {
            guard let keeper = makeKeeper() else { continue }
            say("lost a score keeper after \(keeper.tilts) tilts")
        }
    }

    @inline(never)
    static func makeKeeper() -> ScoreKeeper? {
        let center = NotificationCenter()
        guard let puzzle = try? Puzzle(center: center) else { return nil }
        let keeper = ScoreKeeper(puzzle: puzzle, center: center)
        keeper.startObserving()
        puzzle.tilt(to: .right)
        puzzle.tilt(to: .down)
        return keeper
    }
}

// MARK: The cure: the block captures the keeper weakly, whose deinitializer then ends the observation

extension ScoreKeeper {
    @inline(never)
    func startObservingWeakly() {
        token = center.addObserver(forName: Puzzle.didTilt, object: puzzle, queue: nil) { [weak self] _ in
            self?.tilts += 1
        }
    }
}

extension ObserverCycle {
    static func commitCured(presses: Int) {
        for _ in 0..<presses {
            let center = NotificationCenter()
            guard let puzzle = try? Puzzle(center: center) else { continue }
            let keeper = ScoreKeeper(puzzle: puzzle, center: center)
            keeper.startObservingWeakly()
            puzzle.tilt(to: .right)
            puzzle.tilt(to: .down)
            say("ended a score keeper after \(keeper.tilts) tilts")
        }
    }
}
