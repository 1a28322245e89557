// A server with an LRU cache of 600 entries; it ends while the cache is warm.
final class Response: Sendable {
    let status: Int
    let body: [UInt8]
    init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}
final class Request {
    let path: String
    let headers: [String: String]
    init(path: String, headers: [String: String]) {
        self.path = path
        self.headers = headers
    }
}
final class LRUCache<Key: Hashable, Value> {
    final class Node {
        let key: Key
        var value: Value
        unowned(unsafe) var previous: Node?
        var next: Node?
        init(key: Key, value: Value) {
            self.key = key
            self.value = value
        }
    }
    let capacity: Int
    private var table: [Key: Node] = [:]
    private var head: Node?
    private var tail: Node?
    private(set) var hits = 0, misses = 0
    init(capacity: Int) { self.capacity = capacity }
    private func unlink(_ node: Node) {
        if let previous = node.previous { previous.next = node.next } else { head = node.next }
        if let next = node.next { next.previous = node.previous } else { tail = node.previous }
        node.previous = nil
        node.next = nil
    }
    private func pushFront(_ node: Node) {
        node.next = head
        head?.previous = node
        head = node
        if tail == nil { tail = node }
    }
    func value(for key: Key, make: () -> Value) -> Value {
        if let node = table[key] {
            hits += 1
            unlink(node)
            pushFront(node)
            return node.value
        }
        misses += 1
        let node = Node(key: key, value: make())
        table[key] = node
        pushFront(node)
        if table.count > capacity, let last = tail {
            unlink(last)
            table[last.key] = nil
        }
        return node.value
    }
    var count: Int { table.count }
}
actor Server {
    let cache = LRUCache<String, Response>(capacity: 600)
    var served = 0
    func handle(_ request: Request) -> Response {
        served += 1
        return cache.value(for: request.path) {
            Response(
                status: 200,
                body: Array(
                    repeating: UInt8(truncatingIfNeeded: request.path.count), count: 200 + request.path.count * 8))
        }
    }
    func summary() -> String { "\(served) served, \(cache.count) cached, \(cache.hits) hits" }
}
@main struct Main {
    static func main() async {
        let server = Server()
        var seed: UInt64 = 99
        for number in 0..<9_000 {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let wide = Int(seed >> 33)
            let page = wide % 4 == 0 ? wide % 3_000 : wide % 300
            let request = Request(path: "/articles/\(page)", headers: ["host": "example.org", "x-id": "\(number)"])
            _ = await server.handle(request)
        }
        print(await server.summary())
    }
}
