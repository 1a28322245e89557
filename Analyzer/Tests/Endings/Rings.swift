// caches whose nodes hold each other: one that unties a node only when it ties another, one that unties them all
final class Node<Key: Hashable, Value> {
    let key: Key
    var value: Value
    var next: Node<Key, Value>?
    var previous: Node<Key, Value>?
    init(_ key: Key, _ value: Value) {
        self.key = key
        self.value = value
    }
}
final class Cache<Key: Hashable, Value> {
    private var nodes: [Key: Node<Key, Value>] = [:]
    private var head: Node<Key, Value>?
    private var tail: Node<Key, Value>?
    private let limit: Int
    init(limit: Int) { self.limit = limit }
    func put(_ key: Key, _ value: Value) {
        let node = Node(key, value)
        nodes[key] = node
        push(node)
        if nodes.count > limit, let last = tail {
            unlink(last)
            nodes[last.key] = nil
        }
    }
    private func push(_ node: Node<Key, Value>) {
        node.next = head
        node.previous = nil
        head?.previous = node  // leak
        head = node
        if tail == nil { tail = node }
    }
    private func unlink(_ node: Node<Key, Value>) {
        node.previous?.next = node.next
        node.next?.previous = node.previous
        if tail === node { tail = node.previous }
        node.next = nil
        node.previous = nil
    }
}
final class Entry {
    let value: Int
    var newer: Entry?
    var older: Entry?
    init(_ value: Int) { self.value = value }
}
final class Recent {
    private var head: Entry?
    private var tail: Entry?
    func put(_ value: Int) {
        let entry = Entry(value)
        entry.newer = head
        head?.older = entry
        head = entry
        if tail == nil { tail = entry }
    }
    private func drop(_ entry: Entry) {
        tail = entry.older
        tail?.newer = nil
        entry.older = nil
    }
    func clear() {
        while let last = tail { drop(last) }
        head = nil
    }
}
final class Line {
    private var head: Waiting?
    private var tail: Waiting?
    func add(_ number: Int) {
        let last = Waiting(number)
        if let tail {
            tail.ahead = last
            last.behind = tail
        } else {
            head = last
        }
        tail = last
    }
    func leave() -> Int? {
        guard let last = tail else { return nil }
        tail = last.behind
        tail?.ahead = nil
        last.behind = nil
        return last.number
    }
}
final class Waiting {
    let number: Int
    var ahead: Waiting?
    var behind: Waiting?
    init(_ number: Int) { self.number = number }
}
func run() {
    let line = Line()
    for number in 0..<3 { line.add(number) }
    while let number = line.leave() { print(number) }
    let cache = Cache<Int, String>(limit: 3)
    for number in 0..<9 { cache.put(number, "value") }
    let recent = Recent()
    recent.put(1)
    recent.put(2)
    recent.clear()
}
run()
