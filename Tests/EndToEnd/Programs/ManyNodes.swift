// A million small objects behind one array.
final class Node {
    var value: Int
    init(_ value: Int) { self.value = value }
}

final class Holder {
    var nodes: [Node] = []
}

nonisolated(unsafe) let holder = Holder()
for value in 0..<1_000_000 { holder.nodes.append(Node(value)) }
print("made", holder.nodes.count)
