import Dispatch
import Foundation

struct TileKey: Hashable, Sendable {
    let zoom: Int
    let x: Int
    let y: Int
}

struct Tile: Sendable {
    let key: TileKey
    let bytes: [UInt8]
}

// MARK: - LRU list

final class LRUNode<Key: Hashable, Value> {
    let key: Key
    var value: Value
    var next: LRUNode?
    weak var previous: LRUNode?

    init(key: Key, value: Value) {
        self.key = key
        self.value = value
    }
}

final class LRUCache<Key: Hashable, Value> {
    private var index: [Key: LRUNode<Key, Value>] = [:]
    private var head: LRUNode<Key, Value>?
    private weak var tail: LRUNode<Key, Value>?
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { index.count }

    subscript(key: Key) -> Value? {
        get {
            guard let node = index[key] else { return nil }
            moveToFront(node)
            return node.value
        }
        set {
            if let newValue {
                insert(key, newValue)
            } else if let node = index.removeValue(forKey: key) {
                unlink(node)
            }
        }
    }

    private func insert(_ key: Key, _ value: Value) {
        if let node = index[key] {
            node.value = value
            moveToFront(node)
            return
        }
        let node = LRUNode(key: key, value: value)
        index[key] = node
        pushFront(node)
        while index.count > capacity, let last = tail {
            index[last.key] = nil
            unlink(last)
        }
    }

    private func pushFront(_ node: LRUNode<Key, Value>) {
        node.next = head
        head?.previous = node
        head = node
        if tail == nil { tail = node }
    }

    private func unlink(_ node: LRUNode<Key, Value>) {
        let before = node.previous
        let after = node.next
        node.next = nil
        if let before { before.next = after } else { head = after }
        if let after { after.previous = before } else { tail = before }
        node.previous = nil
    }

    private func moveToFront(_ node: LRUNode<Key, Value>) {
        guard head !== node else { return }
        unlink(node)
        pushFront(node)
    }

    deinit {
        // Long chains are taken apart iteratively to spare the stack.
        var current = head
        head = nil
        while let node = current {
            current = node.next
            node.next = nil
        }
    }
}

// MARK: - Loader

final class TileLoader: @unchecked Sendable {
    typealias Waiter = @Sendable (Tile) -> Void

    private let queue = DispatchQueue(label: "tiles.loader")
    private let cache = LRUCache<TileKey, Tile>(capacity: 24)
    private var waiters: [TileKey: [Waiter]] = [:]
    private var loads = 0

    func load(_ key: TileKey, _ waiter: @escaping Waiter) {
        queue.async {
            if let hit = self.cache[key] {
                waiter(hit)
                return
            }
            let first = self.waiters[key] == nil
            self.waiters[key, default: []].append(waiter)
            if first { self.fetch(key) }
        }
    }

    private func fetch(_ key: TileKey) {
        DispatchQueue.global().async {
            let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* key.x &+ key.y) }
            self.queue.async {
                self.complete(Tile(key: key, bytes: bytes))
            }
        }
    }

    private func complete(_ tile: Tile) {
        loads += 1
        cache[tile.key] = tile
        for waiter in waiters.removeValue(forKey: tile.key) ?? [] { waiter(tile) }
    }

    func stats() -> (cached: Int, waiting: Int, loads: Int) {
        queue.sync { (cache.count, waiters.count, loads) }
    }
}

// MARK: - Process wide palette cache

final class PaletteStore: @unchecked Sendable {
    static let shared = PaletteStore()

    private let lock = NSLock()
    private var palettes: [Int: [UInt32]] = [:]

    func palette(zoom: Int) -> [UInt32] {
        let level = max(0, min(zoom, 19))
        return lock.withLock {
            if let known = palettes[level] { return known }
            let made = (0..<16).map { UInt32($0 * (level + 1)) }
            palettes[level] = made
            return made
        }
    }
}

// MARK: - Map view

final class MapView: @unchecked Sendable {
    private let loader: TileLoader
    private let lock = NSLock()
    private var visible: [TileKey: Tile] = [:]
    private var zoom = 1

    init(loader: TileLoader) {
        self.loader = loader
    }

    func show(zoom: Int, xs: Range<Int>, ys: Range<Int>) {
        lock.withLock {
            self.zoom = zoom
            visible = visible.filter { $0.key.zoom == zoom && xs.contains($0.key.x) && ys.contains($0.key.y) }
        }
        let group = DispatchGroup()
        for x in xs {
            for y in ys {
                group.enter()
                loader.load(TileKey(zoom: zoom, x: x, y: y)) { tile in
                    self.place(tile)
                    group.leave()
                }
            }
        }
        group.wait()
    }

    private func place(_ tile: Tile) {
        lock.withLock {
            guard tile.key.zoom == zoom else { return }
            visible[tile.key] = tile
        }
    }

    var summary: String {
        lock.withLock { "zoom \(zoom) tiles \(visible.count) palette \(PaletteStore.shared.palette(zoom: zoom).count)" }
    }
}

func pan() {
    let loader = TileLoader()
    let map = MapView(loader: loader)
    for step in 0..<20 {
        map.show(zoom: step % 5, xs: step..<(step + 3), ys: 0..<3)
    }
    print(map.summary, loader.stats())
}

pan()
Thread.sleep(forTimeInterval: 0.05)
