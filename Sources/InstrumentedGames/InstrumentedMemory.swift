#if Recording
public import GameModel
public import GameInstrumentation

/// The calls of `Memory` as probes.
extension Instrumented where Model == Memory {
    /// `Memory.turnCard(at:)`
    @discardableResult
    public func turnCard(at index: Int) -> Bool {
        call("Memory.turnCard(at:)") { $0.turnCard(at: index) }
    }

    /// `Memory.checkFlippedCards()`
    @discardableResult
    public func checkFlippedCards() -> Bool {
        call("Memory.checkFlippedCards()") { $0.checkFlippedCards() }
    }

    /// `Memory.addPenalty(_:)`
    public func addPenalty(_ turns: Int) throws(MemoryError) {
        try call("Memory.addPenalty(_:)") { memory throws(MemoryError) in try memory.addPenalty(turns) }
    }

    /// `Memory.clear(using:)`
    public func clear(using generator: inout some RandomNumberGenerator) {
        call("Memory.clear(using:)") { $0.clear(using: &generator) }
    }
}
#endif
