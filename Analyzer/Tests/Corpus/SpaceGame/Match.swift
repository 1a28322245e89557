import Foundation

/// Two sides of a match.
final class Side {
    let name: String
    var enemy: Side?
    weak var ally: Side?

    init(name: String) {
        self.name = name
    }
}

enum MatchMaker {
    static func duel() -> Side {
        let red = Side(name: "red")
        let blue = Side(name: "blue")
        red.enemy = blue
        blue.enemy = red  // suspect: mutual-reference
        return red
    }

    static func team() -> Side {
        let red = Side(name: "red")
        let pink = Side(name: "pink")
        red.ally = pink
        pink.ally = red  // no-finding: mutual-reference
        return red
    }

    static func training() -> Int {
        let one = Side(name: "one")
        let two = Side(name: "two")
        one.enemy = two
        two.enemy = one  // no-finding: mutual-reference
        defer { one.enemy = nil }
        return one.name.count + two.name.count
    }

    static func chain() -> Side {
        let first = Side(name: "first")
        let second = Side(name: "second")
        first.enemy = second
        second.ally = first  // no-finding: mutual-reference
        return first
    }
}

/// A tournament and its rounds.
final class Tournament {
    private var rounds: [Round] = []
    private var bracket: Bracket?
    private var phase = Phase.waiting

    enum Phase {
        case waiting
        case playing(tournament: Tournament)  // suspect: payload-reference
        case over(winner: String)
    }

    func start() {
        rounds.append(Round(tournament: self, number: rounds.count))
        bracket = Bracket(name: "main")
        phase = .playing(tournament: self)
    }
}

struct Round {
    let tournament: Tournament  // suspect: payload-reference
    let number: Int
}

struct Bracket {
    weak var tournament: Tournament?  // no-finding: payload-reference
    let name: String
}

/// A look at a tournament that nobody keeps.
struct Standings {
    let tournament: Tournament  // no-finding: payload-reference
}

/// A graph downwards: an edge keeps its target, which is no way back.
final class Place {
    var roads: [Road] = []
}

struct Road {
    let target: Place  // no-finding: payload-reference
    let length: Double
}
