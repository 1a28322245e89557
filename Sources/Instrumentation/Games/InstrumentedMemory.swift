public import GameInstrumentation
public import GameModel

/// The calls of `Memory` as probes.
extension Instrumented where Model == Memory {
    /// `Memory.turnCard(at:)`
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func turnCard(at index: Int) -> Bool {
        call("Memory.turnCard(at:)") { $0.turnCard(at: index) }
    }

    /// `Memory.checkFlippedCards()`
    @_alwaysEmitIntoClient @inline(__always) @discardableResult
    public func checkFlippedCards() -> Bool {
        call("Memory.checkFlippedCards()") { $0.checkFlippedCards() }
    }

    /// `Memory.addPenalty(_:)`
    @_alwaysEmitIntoClient @inline(__always)
    public func addPenalty(_ turns: Int) throws(MemoryError) {
        try call("Memory.addPenalty(_:)") { memory throws(MemoryError) in try memory.addPenalty(turns) }
    }

    /// `Memory.clear(using:)`
    @_alwaysEmitIntoClient @inline(__always)
    public func clear(using generator: inout some RandomNumberGenerator) {
        call("Memory.clear(using:)") { $0.clear(using: &generator) }
    }
}
