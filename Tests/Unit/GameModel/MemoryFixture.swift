import Foundation
import GameModel

/// A memory game, and a record of what it announces.
struct MemoryFixture {
    let center = NotificationCenter()
    let memory: Memory
    /// Whether the front was up after each turn.
    let turns: NotificationRecorder<Bool>
    /// The types of each pair.
    let pairs: NotificationRecorder<[Int]>

    init(cardCount: Int = 36, seed: UInt64 = 1) throws {
        var generator = SplitMix64(seed: seed)
        memory = try Memory(cardCount: cardCount, using: &generator, center: center)
        turns = NotificationRecorder(Memory.didTurnCard, center: center, object: memory) {
            ($0.userInfo?[Memory.cardKey] as? Card)?.showsFront
        }
        pairs = NotificationRecorder(Memory.didSolvePair, center: center, object: memory) {
            CardPair($0).map { [$0.first.type, $0.second.type] }
        }
    }

    /// Where the two cards of a type lie.
    func indexes(ofType type: Int) -> [Int] {
        memory.cards.indices.filter { memory.cards[$0].type == type }
    }

    /// Where one card each of three types lies.
    func differingIndexes() -> [Int] {
        (0..<3).compactMap { indexes(ofType: $0).first }
    }
}
