import Foundation
import Synchronization

/// Cost-bounded cache with constant time lookup and eviction order.
final class LeastRecentCache<Key: Hashable & Sendable, Value: Sendable>: @unchecked Sendable {
    private final class Node {
        let key: Key
        var value: Value
        var cost: Int
        var next: Node?
        weak var previous: Node?

        init(key: Key, value: Value, cost: Int) {
            self.key = key
            self.value = value
            self.cost = cost
        }
    }

    private struct State {
        var table: [Key: Node] = [:]
        var head: Node?
        var tail: Node?
        var totalCost = 0
        var hits = 0
        var misses = 0
    }

    private let lock = NSLock()
    private var state = State()
    private let costLimit: Int
    var onEvict: ((Key, Value) -> Void)?

    init(costLimit: Int) {
        self.costLimit = costLimit
    }

    deinit {
        var node = state.head
        state.head = nil
        state.table.removeAll()
        while let current = node {
            node = current.next
            current.next = nil
        }
    }

    func value(for key: Key) -> Value? {
        lock.withLock {
            guard let node = state.table[key] else {
                state.misses += 1
                return nil
            }
            state.hits += 1
            unlink(node)
            pushFront(node)
            return node.value
        }
    }

    func insert(_ value: Value, for key: Key, cost: Int = 1) {
        let evicted: [(Key, Value)] = lock.withLock {
            if let existing = state.table[key] {
                state.totalCost += cost - existing.cost
                existing.value = value
                existing.cost = cost
                unlink(existing)
                pushFront(existing)
            } else {
                let node = Node(key: key, value: value, cost: cost)
                state.table[key] = node
                state.totalCost += cost
                pushFront(node)
            }
            return trim()
        }
        for (key, value) in evicted { onEvict?(key, value) }
    }

    private func pushFront(_ node: Node) {
        node.next = state.head
        node.previous = nil
        state.head?.previous = node
        state.head = node
        if state.tail == nil { state.tail = node }
    }

    private func unlink(_ node: Node) {
        let before = node.previous
        let after = node.next
        before?.next = after
        after?.previous = before
        if state.head === node { state.head = after }
        if state.tail === node { state.tail = before }
        node.next = nil
        node.previous = nil
    }

    private func trim() -> [(Key, Value)] {
        var removed: [(Key, Value)] = []
        while state.totalCost > costLimit, let victim = state.tail {
            unlink(victim)
            state.table[victim.key] = nil
            state.totalCost -= victim.cost
            removed.append((victim.key, victim.value))
        }
        return removed
    }

    var hitRate: Double {
        lock.withLock {
            let total = state.hits + state.misses
            return total == 0 ? 0 : Double(state.hits) / Double(total)
        }
    }
}

final class TileProvider {
    struct Coordinate: Hashable, Sendable { let x: Int; let y: Int; let zoom: Int }

    private let cache = LeastRecentCache<Coordinate, [UInt8]>(costLimit: 4_096)
    private var evictions = 0

    init() {
        cache.onEvict = { [unowned self] _, _ in self.evictions += 1 }
    }

    func tile(_ coordinate: Coordinate) -> [UInt8] {
        if let cached = cache.value(for: coordinate) { return cached }
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: coordinate.x ^ coordinate.y), count: 256)
        cache.insert(bytes, for: coordinate, cost: bytes.count)
        return bytes
    }

    var report: String { "rate \(cache.hitRate), evicted \(evictions)" }
}

func panMap() {
    let provider = TileProvider()
    for step in 0..<60 {
        for row in 0..<3 { _ = provider.tile(.init(x: step / 2, y: row, zoom: 4)) }
    }
    print(provider.report)
}

panMap()
