import Foundation
import GameModel

/// A screen that shows how often the tiles of a game slid.
///
/// Unchecked: it is used on the main thread alone, on which the puzzle posts.
final class GameScreen: @unchecked Sendable {
    private(set) var slides = 0
    private let backdrop: [UInt8]

    init(number: Int) {
        backdrop = Array(repeating: UInt8(truncatingIfNeeded: number), count: 256)
    }

    @inline(never)
    func open() {
        // The fault: the token is not stored, so the observer cannot be removed.
        _ = NotificationCenter.default.addObserver(forName: Puzzle.didTilt, object: nil, queue: nil) { _ in
            self.slides += 1
        }
    }
}

/// Opens a screen at each press; all of them go on observing.
enum ObserverGrowth: Fault {
    static let name = "observer-growth"
    static let summary = "Each opened screen adds an observer, and no token is ever removed."
    static let defaultPresses = 200
    static let pressLimit = 10_000

    static func commit(presses: Int) {
        guard let puzzle = try? Puzzle() else { return }
        var slides = 0
        for number in 1...presses {
            slides += openScreen(number, puzzle: puzzle)
        }
        say("opened \(presses) screens, which saw \(slides) slides themselves and go on observing")
    }

    @inline(never)
    static func openScreen(_ number: Int, puzzle: Puzzle) -> Int {
        let screen = GameScreen(number: number)
        screen.open()
        puzzle.tilt(to: number.isMultiple(of: 2) ? .left : .right)
        return screen.slides
    }
}

// MARK: The cure: the token is kept, and the observer removed with it

extension GameScreen {
    @inline(never)
    func observe(during move: () -> Void) {
        let center = NotificationCenter.default
        let token = center.addObserver(forName: Puzzle.didTilt, object: nil, queue: nil) { [weak self] _ in
            self?.slides += 1
        }
        move()
        center.removeObserver(token)
    }
}

extension ObserverGrowth {
    static func commitCured(presses: Int) {
        guard let puzzle = try? Puzzle() else { return }
        var slides = 0
        for number in 1...presses {
            let screen = GameScreen(number: number)
            screen.observe { puzzle.tilt(to: number.isMultiple(of: 2) ? .left : .right) }
            slides += screen.slides
        }
        say("opened and closed \(presses) screens, which saw \(slides) slides")
    }
}
