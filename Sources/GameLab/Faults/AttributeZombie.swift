/// The other side of a ``Match``; more than one class, so that a call looks the method up.
class Opponent {
    let strength: Int
    let openings: [String]

    init(strength: Int) {
        self.strength = strength
        openings = ["right, down \(strength)", "down, right \(strength)"]
    }

    func chooseOpening() -> String { openings[strength % openings.count] }
}

/// An opponent who always opens in the same way.
final class Beginner: Opponent {
    override func chooseOpening() -> String { openings[0] }
}

/// A match against somebody.
final class Match {
    /// The fault: a property that does not own what it names.
    unowned(unsafe) var opponent: Opponent

    init(opponent: Opponent) {
        self.opponent = opponent
    }

    @inline(never)
    func begin() -> String {
        opponent.chooseOpening()
    }
}

/// Uses the attribute of an object after the attribute's object is gone.
enum AttributeZombie: Fault {
    static let name = "attribute-zombie"
    static let summary = "A property does not own its object, which is used after it was freed."
    static let pressLimit = 1

    static func commit(presses: Int) {
        let match = makeMatch()
        say("freed the opponent that the match still names, and asks it now")
        say("the opponent opens with \(match.begin())")
    }

    @inline(never)
    static func makeMatch() -> Match {
        let opponent = makeOpponent(strength: 3)
        let match = Match(opponent: opponent)
        say("the opponent would open with \(match.begin())")
        withExtendedLifetime(opponent) {}
        return match
    }

    @inline(never)
    static func makeOpponent(strength: Int) -> Opponent {
        strength > 1 ? Opponent(strength: strength) : Beginner(strength: strength)
    }
}

// MARK: The cure: somebody owns the opponent for as long as the match

extension AttributeZombie {
    static func commitCured(presses: Int) {
        let opponent = makeOpponent(strength: 3)
        let match = Match(opponent: opponent)
        say("the opponent opens with \(match.begin())")
        withExtendedLifetime(opponent) {}
    }
}
