// A metrics registry with a counter for each label; the label contains the request's id.
import Foundation

final class Counter {
    let name: String
    private(set) var value = 0
    init(name: String) { self.name = name }
    func increment() { value += 1 }
}
final class Histogram {
    let name: String
    private var buckets = [Int](repeating: 0, count: 12)
    init(name: String) { self.name = name }
    func record(_ value: Int) { buckets[min(11, value / 10)] += 1 }
    var total: Int { buckets.reduce(0, +) }
}
final class Metrics {
    nonisolated(unsafe) static let shared = Metrics()
    private let lock = NSLock()
    private var counters: [String: Counter] = [:]
    private var histograms: [String: Histogram] = [:]
    private init() {}
    func counter(_ name: String, labels: [String: String]) -> Counter {
        lock.lock()
        defer { lock.unlock() }
        let key = name + labels.sorted { $0.key < $1.key }.map { ",\($0.key)=\($0.value)" }.joined()
        if let known = counters[key] { return known }
        let made = Counter(name: key)
        counters[key] = made
        return made
    }
    func histogram(_ name: String) -> Histogram {
        lock.lock()
        defer { lock.unlock() }
        if let known = histograms[name] { return known }
        let made = Histogram(name: name)
        histograms[name] = made
        return made
    }
    var count: Int { counters.count + histograms.count }
}
struct Request {
    let id: Int
    let path: String
    let size: Int
}
struct Middleware {
    let next: (Request) -> Int
    func handle(_ request: Request) -> Int {
        let result = next(request)
        Metrics.shared.counter("requests", labels: ["path": request.path, "id": "\(request.id)"]).increment()
        Metrics.shared.histogram("size").record(request.size)
        return result
    }
}
func answer(_ request: Request) -> Int {
    var words = request.path.split(separator: "/").map(String.init)
    words.append("\(request.size)")
    return words.joined(separator: "-").utf8.count
}
func serve(_ count: Int) -> Int {
    let middleware = Middleware(next: answer)
    var bytes = 0
    for id in 0..<count { bytes += middleware.handle(Request(id: id, path: "/v1/items/\(id % 30)", size: id % 130)) }
    return bytes
}
print(serve(1_200), "bytes", Metrics.shared.count, "metrics", Metrics.shared.histogram("size").total)
