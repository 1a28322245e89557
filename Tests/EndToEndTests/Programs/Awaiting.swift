// Half of the time is spent in an async function that another one awaits, half in an actor.
@inline(never) func work(_ count: Int) -> Int {
    var sum = 1
    for index in 0..<count { sum = sum &* 6_364_136_223_846_793_005 &+ index }
    return sum
}

@inline(never) func leaf(_ count: Int) async -> Int {
    await Task.yield()
    return work(count)
}

@inline(never) func middle(_ count: Int) async -> Int {
    var sum = 0
    for _ in 0..<30 { sum &+= await leaf(count) }
    return sum
}

actor Counter {
    private var sum = 0

    @inline(never) func add(_ count: Int) -> Int {
        sum &+= work(count)
        return sum
    }
}

@inline(never) func throughActor(_ counter: Counter, _ count: Int) async -> Int {
    var sum = 0
    for _ in 0..<30 { sum &+= await counter.add(count) }
    return sum
}

@main struct Awaiting {
    static func main() async {
        let counter = Counter()
        var sum = 0
        for _ in 0..<5 {
            async let first = middle(1_000_000)
            async let second = throughActor(counter, 1_000_000)
            sum &+= await first &+ second
        }
        print(sum & 1 | 1)
    }
}
