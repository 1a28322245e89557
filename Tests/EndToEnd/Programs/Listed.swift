// Cards of which one stays, one lives for a while, and so many are dropped at once.
#if canImport(Glibc)
import Glibc
#endif

final class Card {
    let number: Int
    init(_ number: Int) { self.number = number }
}

final class Joker {
    var cards: [Card] = []
}

nonisolated(unsafe) var kept: Joker?

@inline(never) func makeKept() -> Card { Card(1) }
@inline(never) func makeLasting() -> Card { Card(2) }
@inline(never) func makePassing(_ number: Int) -> Card { Card(number) }

@inline(never) func play(_ count: Int) -> Int {
    kept = Joker()
    kept?.cards.append(makeKept())
    let lasting = makeLasting()
    var sum = 0
    for number in 0..<count { sum += makePassing(number).number }
    usleep(20_000)
    return withExtendedLifetime(lasting) { sum + lasting.number }
}

@main enum Listed {
    static func main() {
        print(play(Int(CommandLine.arguments.last ?? "") ?? 0))
    }
}
