// Cycles that are lost at once, for programs that end in some way after it.

final class Card {
    var next: Card?
    let number: Int

    @inline(never)
    init(_ number: Int) { self.number = number }
}

@inline(never)
func loseCards(_ number: Int) {
    let (one, other) = (Card(number), Card(number))
    (one.next, other.next) = (other, one)
}
