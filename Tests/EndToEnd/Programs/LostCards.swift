// Cycles that are lost at once, for programs that end in some way after it.

final class Card {
    var next: Card?
    let number: Int

    @inline(never)
    init(_ number: Int) { self.number = number }
}

/// Where one of them lies.
@inline(never) @discardableResult
func loseCards(_ number: Int) -> UInt {
    let (one, other) = (Card(number), Card(number))
    (one.next, other.next) = (other, one)
    return UInt(bitPattern: Unmanaged.passUnretained(one).toOpaque())
}
