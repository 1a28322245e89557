// Allocations under every kind of frame that Swift makes.
final class Node {
    let next: Node?
    let values: [Int]

    init(next: Node?, value: Int) {
        self.next = next
        values = Array(repeating: value, count: value & 7 + 1)
    }
}

struct Refusal: Error {
    let reason: String
}

@inline(never) func recurse(_ depth: Int, _ nodes: inout [Node]) -> Int {
    if depth == 0 {
        nodes.append(Node(next: nodes.last, value: nodes.count))
        return 1
    }
    let below = depth & 1 == 0 ? recurse(depth - 1, &nodes) : recurse(depth - 1, &nodes) + 1
    let name = "node \(depth) with a name that is too long for a small string \(below)"
    return below + name.utf8.count & 1
}

@inline(never) func sortStrings() -> Int {
    var names = (0..<200).map { "a value of some length \(($0 * 7919) % 200)" }
    names.sort { ($0 + "x") < ($1 + "y") }
    return names.count
}

@inline(never) func refuse(_ depth: Int) throws -> Int {
    if depth == 0 { throw Refusal(reason: "a reason that is too long for a small string \(depth)") }
    return try refuse(depth - 1) + 1
}

func countKeys(_ number: Int) async -> Int {
    await Task.yield()
    let keys = Dictionary(uniqueKeysWithValues: (0..<20).map { ("a key that is long enough \($0)", $0) })
    await Task.yield()
    return keys.count + number
}

var nodes: [Node] = []
var total = 0
for depth in [0, 1, 5, 30, 64, 100, 126, 127, 128, 129, 150, 192, 193, 300] { total += recurse(depth, &nodes) }
total += sortStrings()
for depth in 0..<50 { total += (try? refuse(depth % 7)) ?? 1 }
await withTaskGroup(of: Int.self) { group in
    for number in 0..<50 { group.addTask { await countKeys(number) } }
    for await count in group { total += count }
}
print(total > 0)
