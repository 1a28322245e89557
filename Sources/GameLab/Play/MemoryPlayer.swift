import Foundation
import GameModel

/// Finds all pairs of a memory game and forgets no card it has seen.
struct MemoryPlayer {
    private let memory: Memory
    /// The cards never turned yet, in the order in which they will be.
    private var unseen: [Int]
    /// Where the first card of each type was seen whose twin is still missing.
    private var seen: [Int: Int] = [:]

    /// Plays one game to its end.
    ///
    /// - Returns: what happened, for people to read.
    static func play(using generator: inout some RandomNumberGenerator) throws -> String {
        let memory = try Memory(using: &generator)
        var player = MemoryPlayer(memory: memory, unseen: memory.cards.indices.shuffled(using: &generator))
        return try player.play()
    }

    private init(memory: Memory, unseen: [Int]) {
        self.memory = memory
        self.unseen = unseen
    }

    private mutating func play() throws -> String {
        let turns = NotificationLog(Memory.didTurnCard, object: memory) { _ in true }
        let pairs = NotificationLog(Memory.didSolvePair, object: memory) { CardPair($0)?.first.type }
        defer {
            turns.stop()
            pairs.stop()
        }
        let solvedChanges = ChangeCounter()
        solvedChanges.watchNextChange { _ = memory.isSolved }
        try memory.addPenalty(peek())
        while let first = unseen.popLast() {
            turnPair(startingWith: first)
        }
        guard memory.isSolved, solvedChanges.count == 1, pairs.entries.count * 2 == memory.cards.count else {
            throw PlayError.memoryNotSolved(turns: memory.flipCount)
        }
        return "solved with a count of \(memory.flipCount), \(pairs.entries.count) pairs, "
            + "\(turns.entries.count) cards turned over"
    }

    /// Turns three cards of different types one after the other, so that the first is turned back, and checks the
    /// others.
    ///
    /// - Returns: the penalty for it.
    private func peek() -> Int {
        let peeked = (0..<3).compactMap { type in memory.cards.firstIndex { $0.type == type } }
        for index in peeked {
            memory.turnCard(at: index)
        }
        memory.checkFlippedCards()
        return peeked.count
    }

    private mutating func turnPair(startingWith first: Int) {
        memory.turnCard(at: first)
        if solve(first) { return }
        seen[type(of: first)] = first
        guard let second = unseen.popLast() else { return }
        memory.turnCard(at: second)
        if memory.checkFlippedCards() {
            seen[type(of: first)] = nil
            return
        }
        guard let twin = seen[type(of: second)] else {
            seen[type(of: second)] = second
            return
        }
        memory.turnCard(at: twin)
        memory.turnCard(at: second)
        if memory.checkFlippedCards() { seen[type(of: second)] = nil }
    }

    /// Turns the twin of an open card if it was seen before.
    private mutating func solve(_ open: Int) -> Bool {
        guard let twin = seen.removeValue(forKey: type(of: open)) else { return false }
        memory.turnCard(at: twin)
        return memory.checkFlippedCards()
    }

    private func type(of index: Int) -> Int {
        memory.cards[index].type
    }
}
