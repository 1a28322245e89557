// Uses of dead objects far from where they begin, or long after their death; and programs that die of something else.
import Foundation

struct Region {
    var north, east, south, west: String
    init(_ name: String) {
        north = name + " in the distant north"
        east = name + " in the distant east"
        south = name + " in the distant south"
        west = name + " in the distant west"
    }
}

/// Its last property lies behind the words that a dead block tells apart.
final class World {
    var r0 = Region("0"), r1 = Region("1"), r2 = Region("2"), r3 = Region("3"), r4 = Region("4"), r5 = Region("5")
    var r6 = Region("6"), r7 = Region("7"), r8 = Region("8"), r9 = Region("9"), r10 = Region("10")
    var lastWords = ["the last words of the world"]
}

final class Pawn {
    var first = [1, 2]
    var world = World()
    var other = ["x"]
    var grid = UnsafeMutablePointer<Int>.allocate(capacity: 100_000)
    deinit { grid.deallocate() }
    @inline(never) func last() -> Int { world.lastWords.count }
    @inline(never) func cell(_ index: Int) -> Int { grid[index] }
}

final class Quest {
    var a = 1, b = 2
    var goals = ["goal"]
    @inline(never) func size() -> Int { goals.count }
}
final class Coin {
    var x = 1, y = 2
}

/// The runtime makes metadata for each `Sack<T>`; the first 16 KB of it lie in its own image, the others in the heap.
final class Sack<T> {
    var weight = 1, content: T?
}

struct Left<T> {}
struct Right<T> {}

/// 2^(depth + 1) - 1 types of sacks.
@inline(never) func fill<T>(_ type: T.Type, depth: Int) {
    kept.append(Sack<T>())
    if depth > 0 {
        fill(Left<T>.self, depth: depth - 1)
        fill(Right<T>.self, depth: depth - 1)
    }
}

actor Table {
    nonisolated(unsafe) var names = ["a name"]
}

struct Cell {
    var value: Int
    var next: UnsafeMutablePointer<Cell>?
}

@inline(never) func dead<Object: AnyObject>(_ make: () -> Object) -> Unmanaged<Object> {
    let object = Unmanaged.passRetained(make())
    object.release()
    return object
}

nonisolated(unsafe) var kept: [AnyObject] = []

@inline(never) func hide(_ count: Int) {
    for index in 0..<count {
        let coin = Coin()
        if index % 5_000 == 0 { kept.append(coin) }
    }
}

@inline(never) func length(_ cell: UnsafeMutablePointer<Cell>) -> Int {
    var length = 1
    var cell = cell
    while let next = cell.pointee.next {
        cell = next
        length += 1
    }
    return length
}

@inline(never) func cells() -> UnsafeMutablePointer<Cell> {
    let last = UnsafeMutablePointer<Cell>.allocate(capacity: 1)
    last.initialize(to: Cell(value: 2, next: nil))
    let first = UnsafeMutablePointer<Cell>.allocate(capacity: 1)
    first.initialize(to: Cell(value: 1, next: last))
    return first
}

final class Save {
    var slot = 0
}

@inline(never) func writtenAfterDeath() {
    dead { Save() }._withUnsafeGuaranteedRef { $0.slot = 77 }
}

@main enum FarUses {
    static func main() {
        let far = Int(CommandLine.argc) * 20_000
        switch CommandLine.arguments.last {
        case "far-property": print(dead { World() }._withUnsafeGuaranteedRef { $0.lastWords.count })
        case "reference-to-large": print(dead { Pawn() }._withUnsafeGuaranteedRef { $0.last() })
        case "far-index": print(dead { Pawn() }._withUnsafeGuaranteedRef { $0.cell(far) })
        case "left-quarantine":
            let quest = dead { Quest() }
            hide(20_000)
            print(quest._withUnsafeGuaranteedRef { $0.size() })
        case "many-pages":
            hide(150_000)
            print("done")
        case "next-cell":
            let first = cells()
            print(length(first))
            first.deallocate()
            print(length(first))
        case "freed-twice":
            let save = dead { Save() }
            free(save.toOpaque())
        case "array-element":
            let names = (0..<4).map { "a name that does not fit into a word \($0)" }
            let pointer = names.withUnsafeBufferPointer { $0.baseAddress! }
            Unmanaged.passUnretained(unsafeBitCast(names, to: AnyObject.self)).release()
            print(pointer[2].utf8.first ?? 0)
        case "count-followed":
            let count = UnsafeRawPointer(dead { Save() }.toOpaque()).load(fromByteOffset: 8, as: UInt.self)
            print(UnsafePointer<Int>(bitPattern: count)!.pointee)
        case "retained-often": for _ in 0..<200 { _ = dead { Quest() }.retain() }
        case "one-of-many": print(dead { Coin() }._withUnsafeGuaranteedRef { $0.x } == far)
        case "late-type":
            fill(Int.self, depth: 8)
            print(dead { Sack<Coin>() }._withUnsafeGuaranteedRef { $0.weight } == far)
        case "actor": print(dead { Table() }._withUnsafeGuaranteedRef { $0.names.count })
        case "written-abort":
            writtenAfterDeath()
            abort()
        case "written-null":
            writtenAfterDeath()
            print(UnsafePointer<Int>(bitPattern: 8 * Int(CommandLine.argc))!.pointee)
        case "killed": raise(SIGKILL)
        default: print("done")
        }
    }
}
