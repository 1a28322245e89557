import Foundation

// Two player card duel in the old delegate style.

struct Card: Equatable {
    enum Suit: String, CaseIterable { case sun, moon, star }
    let suit: Suit
    let power: Int
    var title: String { "\(suit.rawValue) \(power)" }
}

protocol DeckDelegate: AnyObject {
    func deckRanOut(_ deck: Deck)
}

protocol HandDelegate: AnyObject {
    func hand(_ hand: Hand, didPlay card: Card)
    func handIsEmpty(_ hand: Hand)
}

protocol PromptPresenter {
    func present(_ prompt: Prompt)
}

final class Deck {
    weak var delegate: DeckDelegate?
    private var cards: [Card] = []

    init(seed: Int) {
        for suit in Card.Suit.allCases {
            for power in 1...6 {
                cards.append(Card(suit: suit, power: (power * seed) % 7 + 1))
            }
        }
    }

    func draw() -> Card? {
        guard let card = cards.popLast() else {
            delegate?.deckRanOut(self)
            return nil
        }
        return card
    }
}

final class Hand {
    let owner: String
    var delegate: HandDelegate?
    private(set) var cards: [Card] = []

    init(owner: String) {
        self.owner = owner
    }

    func take(_ card: Card) {
        cards.append(card)
    }

    func play(_ index: Int) {
        guard cards.indices.contains(index) else { return }
        let card = cards.remove(at: index)
        delegate?.hand(self, didPlay: card)
        if cards.isEmpty { delegate?.handIsEmpty(self) }
    }
}

/// A question to the player with one answer.
final class Prompt {
    let question: String
    private var answer: ((Bool) -> Void)?

    init(_ question: String, answer: @escaping (Bool) -> Void) {
        self.question = question
        self.answer = answer
    }

    func resolve(_ value: Bool) {
        let reply = answer
        answer = nil
        reply?(value)
    }
}

final class AutoPresenter: PromptPresenter {
    private(set) var shown = 0

    func present(_ prompt: Prompt) {
        shown += 1
        prompt.resolve(shown % 3 != 0)
    }
}

struct Transcript {
    let number: Int
    let lines: [String]
    let winner: String
}

/// Keeps what was played for the statistics page.
final class DuelArchive: @unchecked Sendable {
    static let shared = DuelArchive()

    private let lock = NSLock()
    private var transcripts: [Transcript] = []
    private var streak: [String] = []

    private init() {}

    func file(_ transcript: Transcript) {
        lock.withLock {
            transcripts.append(transcript)
            streak.append(transcript.winner)
            if streak.count > 10 { streak.removeFirst() }
        }
    }

    var latest: Transcript? { lock.withLock { transcripts.last } }
    var form: String { lock.withLock { streak.map { String($0.prefix(1)) }.joined() } }
}

final class DuelTable: DeckDelegate, HandDelegate {
    let number: Int
    private let deck: Deck
    private let hands: [Hand]
    private let presenter: PromptPresenter
    private var lines: [String] = []
    private var damage: [String: Int] = [:]
    private var pending: Prompt?
    private var over = false

    init(number: Int, players: [String], presenter: PromptPresenter) {
        self.number = number
        self.presenter = presenter
        self.deck = Deck(seed: number + 2)
        self.hands = players.map(Hand.init(owner:))
        deck.delegate = self
        for hand in hands {
            hand.delegate = self
        }
    }

    func run() {
        deal(4)
        var turn = 0
        while !over && turn < 60 {
            hands[turn % hands.count].play(0)
            turn += 1
        }
        let winner = damage.min { $0.value < $1.value }?.key ?? "nobody"
        DuelArchive.shared.file(Transcript(number: number, lines: lines, winner: winner))
    }

    private func deal(_ count: Int) {
        for hand in hands {
            for _ in 0..<count {
                if let card = deck.draw() { hand.take(card) }
            }
        }
    }

    private func askForMore(_ hand: Hand) {
        let prompt = Prompt("\(hand.owner), draw two more?") { yes in
            self.pending = nil
            guard yes, let card = self.deck.draw() else {
                self.over = true
                return
            }
            hand.take(card)
        }
        pending = prompt
        presenter.present(prompt)
    }

    // MARK: delegates

    func deckRanOut(_ deck: Deck) {
        lines.append("deck is out")
        over = true
    }

    func hand(_ hand: Hand, didPlay card: Card) {
        lines.append("\(hand.owner) plays \(card.title)")
        for other in hands where other !== hand {
            damage[other.owner, default: 0] += card.power
        }
    }

    func handIsEmpty(_ hand: Hand) {
        askForMore(hand)
    }
}

final class League {
    private let presenter = AutoPresenter()
    private var table: DuelTable?

    func season(_ rounds: Int) {
        for number in 1...rounds {
            table = DuelTable(number: number, players: ["ada", "bob"], presenter: presenter)
            table?.run()
        }
        table = nil
    }

    var questions: Int { presenter.shown }
}

let league = League()
league.season(12)
print("questions \(league.questions), form \(DuelArchive.shared.form)")
if let latest = DuelArchive.shared.latest {
    print("duel \(latest.number) won by \(latest.winner) in \(latest.lines.count) lines")
}
