// Tasks and an actor that do next to nothing between two awaits: samples fall on the first and last instructions of
// async functions.
actor Sum {
    private var value = 0

    func add(_ number: Int) -> Int {
        value &+= number
        return value
    }
}

@inline(never) func step(_ sum: Sum, _ number: Int) async -> Int {
    let value = await sum.add(number)
    await Task.yield()
    return value & 1
}

@main struct ShortAwaits {
    static func main() async {
        let sum = Sum()
        let total = await withTaskGroup(of: Int.self) { group in
            for number in 0..<4 {
                group.addTask {
                    var odd = 0
                    for turn in 0..<20_000 { odd &+= await step(sum, number &+ turn) }
                    return odd
                }
            }
            return await group.reduce(0, &+)
        }
        print(total >= 0 ? "done" : "wrong")
    }
}
