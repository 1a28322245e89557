/// Things on board, in a list that knows only its head.
final class Item {
    let weight: Int
    var next: Item?

    init(weight: Int) {
        self.weight = weight
    }
}

struct Inventory {
    private var head: Item?
    private(set) var count = 0

    mutating func add(_ weight: Int) {
        let item = Item(weight: weight)
        item.next = head
        head = item
        count += 1
    }

    func item(at index: Int) -> Item? {
        var item = head
        var left = index
        while left > 0 {
            item = item?.next
            left -= 1
        }
        return item
    }

    func totalWeight() -> Int {
        var sum = 0
        for index in 0..<count {
            sum += item(at: index)?.weight ?? 0  // suspect: quadratic-list
        }
        return sum
    }

    func heaviest() -> Int {
        var best = 0
        var item = head
        while let current = item {  // no-finding: quadratic-list
            best = max(best, current.weight)
            item = current.next
        }
        return best
    }

    func first() -> Item? {
        for _ in 0..<3 {
            if let item = item(at: 0) { return item }  // no-finding: quadratic-list
        }
        return nil
    }

    func weights() -> [Int] {
        (0..<count).map { item(at: $0)?.weight ?? 0 }  // suspect: quadratic-list
    }
}

/// Kept in an array: access by index is cheap.
struct Crew {
    private var members: [String] = []

    func member(at index: Int) -> String {
        members[index]
    }

    func roll() -> String {
        var text = ""
        for index in members.indices {
            text += member(at: index)  // no-finding: quadratic-list
        }
        return text
    }
}

/// A list with a subscript.
final class Route {
    final class Waypoint {
        var fuel: Int
        var next: Waypoint?

        init(fuel: Int) {
            self.fuel = fuel
        }
    }

    private var first: Waypoint?

    var count: Int {
        var number = 0
        var point = first
        while let current = point {
            number += 1
            point = current.next
        }
        return number
    }

    subscript(index: Int) -> Waypoint? {
        var point = first
        for _ in 0..<index { point = point?.next }
        return point
    }
}

func fuel(of route: Route) -> Int {
    var sum = 0
    var index = 0
    while index < route.count {  // suspect: quadratic-list
        sum += route[index]?.fuel ?? 0  // suspect: quadratic-list
        index += 1
    }
    return sum
}
