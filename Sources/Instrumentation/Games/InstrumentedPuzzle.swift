public import GameInstrumentation
public import GameModel

/// The calls of `Puzzle` as probes.
extension Instrumented where Model: Puzzle {
    /// `Puzzle.tilt(to:)`
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func tilt(to direction: Direction) -> Bool {
        call("Puzzle.tilt(to:)") { $0.tilt(to: direction) }
    }

    /// `Puzzle.moveItem(at:to:)`
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func moveItem(at index: Int, to direction: Direction) -> Bool {
        call("Puzzle.moveItem(at:to:)") { $0.moveItem(at: index, to: direction) }
    }

    /// `Puzzle.tiltDirection(forIndex:)`
    @_alwaysEmitIntoClient @inline(__always)
    public func tiltDirection(forIndex index: Int) -> Direction? {
        call("Puzzle.tiltDirection(forIndex:)") { $0.tiltDirection(forIndex: index) }
    }

    /// `Puzzle.value(at:)`
    @_alwaysEmitIntoClient @inline(__always)
    public func value(at index: Int) throws(PuzzleError) -> Int {
        try call("Puzzle.value(at:)") { puzzle throws(PuzzleError) in try puzzle.value(at: index) }
    }

    /// `Puzzle.shuffle(using:)`
    @_alwaysEmitIntoClient @inline(__always)
    public func shuffle(using generator: inout some RandomNumberGenerator) {
        call("Puzzle.shuffle(using:)") { $0.shuffle(using: &generator) }
    }

    /// `Puzzle.clear()`
    @_alwaysEmitIntoClient @inline(__always)
    public func clear() { call("Puzzle.clear()") { $0.clear() } }
}
