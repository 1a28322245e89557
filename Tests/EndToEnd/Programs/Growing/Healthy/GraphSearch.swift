// Finds ways over a grid with A*, several times; nodes of one search go when it ends.
struct Point: Hashable { let x: Int, y: Int }
final class Node {
    let point: Point
    let cost: Int
    let parent: Node?
    init(_ point: Point, cost: Int, parent: Node?) {
        self.point = point
        self.cost = cost
        self.parent = parent
    }
    var way: [Point] {
        var all: [Point] = []
        var node: Node? = self
        while let one = node {
            all.append(one.point)
            node = one.parent
        }
        return all.reversed()
    }
}
struct Heap<Element> {
    private var items: [(priority: Int, element: Element)] = []
    var isEmpty: Bool { items.isEmpty }
    mutating func push(_ element: Element, priority: Int) {
        items.append((priority, element))
        var at = items.count - 1
        while at > 0, items[at].priority < items[(at - 1) / 2].priority {
            items.swapAt(at, (at - 1) / 2)
            at = (at - 1) / 2
        }
    }
    mutating func pop() -> Element? {
        guard let first = items.first else { return nil }
        let last = items.removeLast()
        if !items.isEmpty {
            items[0] = last
            var at = 0
            while true {
                var small = at
                for child in [2 * at + 1, 2 * at + 2]
                where child < items.count && items[child].priority < items[small].priority { small = child }
                if small == at { break }
                items.swapAt(at, small)
                at = small
            }
        }
        return first.element
    }
}
final class Maze {
    let size: Int
    private var walls: Set<Point> = []
    init(size: Int) {
        self.size = size
        for y in stride(from: 2, to: size - 2, by: 4) {
            for x in 0..<size where x % 17 != (y / 4) % 17 { walls.insert(Point(x: x, y: y)) }
        }
    }
    func neighbours(_ p: Point) -> [Point] {
        [Point(x: p.x + 1, y: p.y), Point(x: p.x - 1, y: p.y), Point(x: p.x, y: p.y + 1), Point(x: p.x, y: p.y - 1)]
            .filter { $0.x >= 0 && $0.y >= 0 && $0.x < size && $0.y < size && !walls.contains($0) }
    }
    func search(from start: Point, to goal: Point) -> Node? {
        var open = Heap<Node>()
        var best: [Point: Node] = [:]
        let first = Node(start, cost: 0, parent: nil)
        open.push(first, priority: 0)
        best[start] = first
        while let node = open.pop() {
            if node.point == goal { return node }
            for next in neighbours(node.point) {
                let cost = node.cost + 1
                if let known = best[next], known.cost <= cost { continue }
                let made = Node(next, cost: cost, parent: node)
                best[next] = made
                open.push(made, priority: cost + abs(goal.x - next.x) + abs(goal.y - next.y))
            }
        }
        return nil
    }
}
let maze = Maze(size: 70)
var ways: [[Point]] = []
for number in 0..<8 {
    if let end = maze.search(from: Point(x: number, y: 0), to: Point(x: 69 - number, y: 68)) { ways.append(end.way) }
}
print(ways.count, "ways, longest", ways.map(\.count).max() ?? 0)
