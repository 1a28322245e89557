// Way-finding over a map with a shared table of known distances: as large as the map at most.
struct Pair: Hashable { let from: Int, to: Int }
final class Way {
    let steps: [Int]
    init(steps: [Int]) { self.steps = steps }
}
final class Ways {
    nonisolated(unsafe) static let shared = Ways()
    private var known: [Pair: Way] = [:]
    private(set) var hits = 0
    private init() {}
    func way(_ pair: Pair, find: (Pair) -> Way) -> Way {
        if let way = known[pair] {
            hits += 1
            return way
        }
        let way = find(pair)
        known[pair] = way
        return way
    }
    var count: Int { known.count }
}
final class Map {
    let size = 45
    func neighbours(_ place: Int) -> [Int] { [(place + 1) % size, (place + 7) % size, (place + size - 1) % size] }
    func search(_ pair: Pair) -> Way {
        var before: [Int: Int] = [pair.from: -1]
        var queue = [pair.from]
        while !queue.isEmpty {
            let place = queue.removeFirst()
            if place == pair.to { break }
            for next in neighbours(place) where before[next] == nil {
                before[next] = place
                queue.append(next)
            }
        }
        var steps: [Int] = []
        var place = pair.to
        while place >= 0 {
            steps.append(place)
            place = before[place] ?? -1
        }
        return Way(steps: steps.reversed())
    }
}
final class Unit {
    var place: Int
    var target: Int
    private var way: [Int] = []
    init(place: Int, target: Int) {
        self.place = place
        self.target = target
    }
    func step(_ map: Map, _ next: (Int) -> Int) {
        if way.isEmpty {
            target = next(map.size)
            way = Ways.shared.way(Pair(from: place, to: target), find: map.search).steps
        }
        if !way.isEmpty { place = way.removeFirst() }
    }
}
let map = Map()
nonisolated(unsafe) var seed: UInt64 = 6
func random(_ bound: Int) -> Int {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(seed >> 33) % bound
}
let units = (0..<10).map { Unit(place: $0, target: $0) }
for _ in 0..<500 { for unit in units { unit.step(map, random) } }
print(Ways.shared.count, Ways.shared.hits)
