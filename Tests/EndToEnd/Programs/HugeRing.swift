// Loses a ring of many objects, and many more objects one by one.
final class Link {
    var next: Link?
}
final class Lone {
    var number = 1
}

@inline(never) func loseRing() {
    let first = Link()
    var last = first
    for _ in 1..<100_000 {
        last.next = Link()
        last = last.next!
    }
    last.next = first
}
@inline(never) func loseOthers() {
    for _ in 0..<1_000_000 { _ = Unmanaged.passRetained(Lone()) }
}

@main enum Program {
    static func main() {
        loseRing()
        loseOthers()
        print((1...40).map { "word \($0)" }.joined().count)
    }
}
