#if Recording
public import GameModel
public import GameInstrumentation

/// The calls of `Puzzle` as probes.
extension Instrumented where Model: Puzzle {
    /// `Puzzle.tilt(to:)`
    @discardableResult
    public func tilt(to direction: Direction) -> Bool {
        call("Puzzle.tilt(to:)") { $0.tilt(to: direction) }
    }

    /// `Puzzle.moveItem(at:to:)`
    @discardableResult
    public func moveItem(at index: Int, to direction: Direction) -> Bool {
        call("Puzzle.moveItem(at:to:)") { $0.moveItem(at: index, to: direction) }
    }

    /// `Puzzle.tiltDirection(forIndex:)`
    public func tiltDirection(forIndex index: Int) -> Direction? {
        call("Puzzle.tiltDirection(forIndex:)") { $0.tiltDirection(forIndex: index) }
    }

    /// `Puzzle.value(at:)`
    public func value(at index: Int) throws(PuzzleError) -> Int {
        try call("Puzzle.value(at:)") { puzzle throws(PuzzleError) in try puzzle.value(at: index) }
    }

    /// `Puzzle.shuffle(using:)`
    public func shuffle(using generator: inout some RandomNumberGenerator) {
        call("Puzzle.shuffle(using:)") { $0.shuffle(using: &generator) }
    }

    /// `Puzzle.clear()`
    public func clear() { call("Puzzle.clear()") { $0.clear() } }
}
#endif
