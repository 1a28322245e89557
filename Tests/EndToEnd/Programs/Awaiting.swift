// Half of the time is spent in an async function that another one awaits, half in an actor. With `changing`: seven tenths
// in tasks that red() awaits, the rest in those of blue(), each so short that its memory was another's a moment ago.
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

@inline(never) func red(_ count: Int) async -> Int {
    await leaf(count) &+ 1
}

@inline(never) func blue(_ count: Int) async -> Int {
    await leaf(count) &+ 2
}

func playChanging() async {
    var sum = 0
    for round in 0..<6000 {
        let unit = 100_000 + round * 7_919 % 200_000  // a constant period might be that of the samples
        sum &+= await Task { await red(7 * unit) }.value
        sum &+= await Task { await blue(3 * unit) }.value
    }
    print(sum & 1 | 1)
}

@main struct Awaiting {
    static func main() async {
        if CommandLine.arguments.contains("changing") {
            return await playChanging()
        }
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
