/// Pools that are asked by constants.
final class Cell {
    let identifier: String
    var row = 0

    init(identifier: String) { self.identifier = identifier }
}

final class CellPool {
    private var cells: [Cell] = []

    func dequeue(_ identifier: String) -> Cell? {
        guard let index = cells.firstIndex(where: { $0.identifier == identifier }) else { return nil }
        return cells.remove(at: index)
    }

    func enqueue(_ cell: Cell) { cells.append(cell) }
}

final class CellList {
    static let header = "header"
    private let pool = CellPool()
    private let identifier: String

    init(identifier: String) { self.identifier = identifier }

    func show() -> Cell { pool.dequeue(identifier) ?? Cell(identifier: "card") }
    func showHeader() -> Cell { pool.dequeue(Self.header) ?? Cell(identifier: Self.header) }  // no-finding: reuse-miss
    func showFooter() -> Cell {
        pool.dequeue("foot") ?? Cell(identifier: "footer")  // suspect: reuse-miss
    }
    func hide(_ cell: Cell) { pool.enqueue(cell) }
}

func lists() -> [CellList] {
    [
        CellList(identifier: "Card"),  // suspect: reuse-miss
        CellList(identifier: "card"),  // no-finding: reuse-miss
    ]
}

/// Identifiers that come from elsewhere too.
final class Sound {
    let name: String

    init(name: String) { self.name = name }
}

final class SoundPool {
    private var sounds: [Sound] = []

    func take(_ name: String) -> Sound {
        if let index = sounds.firstIndex(where: { $0.name == name }) { return sounds.remove(at: index) }
        return Sound(name: name)
    }

    func click() -> Sound { take("click") }  // no-finding: reuse-miss
    func give(_ sound: Sound) { sounds.append(sound) }
}

/// Found, not taken out: a question that may be answered with no.
final class Door {
    let kind: String

    init(kind: String) { self.kind = kind }
}

final class House {
    private var doors: [Door] = [Door(kind: "front")]

    func hasBackDoor() -> Bool { doors.firstIndex { $0.kind == "back" } != nil }  // no-finding: reuse-miss
}

/// Shelves of a dictionary.
final class Bullet {}

final class BulletPool {
    private static let slow = "slow"
    private var shelves: [String: [Bullet]] = [:]

    func fast() -> Bullet { shelves["Fast"]?.popLast() ?? Bullet() }  // suspect: reuse-miss
    func slow() -> Bullet { shelves[Self.slow]?.popLast() ?? Bullet() }  // no-finding: reuse-miss
    func giveFast(_ bullet: Bullet) { shelves["fast", default: []].append(bullet) }
    func giveSlow(_ bullet: Bullet) { shelves[Self.slow, default: []].append(bullet) }
}

final class Registry {
    private var entries: [String: Bullet] = [:]

    func main() -> Bullet? { entries["main"] }  // no-finding: reuse-miss
    func add(_ bullet: Bullet, as name: String) { entries[name] = bullet }
}

final class Loaded {
    private var entries: [String: Int] = [:]

    func load(_ all: [String: Int]) { entries.merge(all) { $1 } }
    func width() -> Int { entries["width"] ?? 0 }  // no-finding: reuse-miss
    func reset() { entries["height"] = 0 }
}
