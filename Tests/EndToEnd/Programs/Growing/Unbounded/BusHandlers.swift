// Each request subscribes to an event bus and never unsubscribes.
import Foundation

final class EventBus {
    nonisolated(unsafe) static let shared = EventBus()
    private var handlers: [String: [(Int) -> Void]] = [:]
    private init() {}
    func subscribe(_ name: String, _ handler: @escaping (Int) -> Void) { handlers[name, default: []].append(handler) }
    func publish(_ name: String, _ value: Int) { for handler in handlers[name] ?? [] { handler(value) } }
}
final class Profile {
    let name: String
    let rights: [String]
    init(name: String, rights: [String]) {
        self.name = name
        self.rights = rights
    }
}
final class RequestContext {
    let id: Int
    let profile: Profile
    var configuration = 0
    init(id: Int) {
        self.id = id
        profile = Profile(name: "user \(id % 50)", rights: ["read", "write", "admin-\(id % 3)"])
        EventBus.shared.subscribe("configuration") { value in self.configuration = value }
    }
    func answer() -> [UInt8] { Array("{\"id\":\(id),\"user\":\"\(profile.name)\",\"version\":\(configuration)}".utf8) }
}
final class Router {
    private var routes: [String: (Int) -> [UInt8]] = [:]
    func add(_ path: String, _ handler: @escaping (Int) -> [UInt8]) { routes[path] = handler }
    func route(_ path: String, id: Int) -> [UInt8] { routes[path]?(id) ?? [] }
}
final class Connection {
    private var buffer: [UInt8] = []
    private(set) var sent = 0
    func send(_ bytes: [UInt8]) {
        buffer += bytes
        if buffer.count > 4_096 {
            sent += buffer.count
            buffer.removeAll()
        }
    }
}
struct AccessLog {
    private var lines: [String] = []
    mutating func add(_ line: String) {
        lines.append(line)
        if lines.count > 50 { lines.removeFirst() }
    }
    var last: String { lines.last ?? "" }
}
let router = Router()
router.add("/me") { id in RequestContext(id: id).answer() }
router.add("/health") { _ in Array("ok".utf8) }
let connections = (0..<10).map { _ in Connection() }
var log = AccessLog()
for number in 0..<900 {
    let path = number % 4 == 0 ? "/health" : "/me"
    connections[number % 10].send(router.route(path, id: number))
    log.add("GET \(path) \(number)")
    if number % 100 == 0 { EventBus.shared.publish("configuration", number) }
}
print(log.last, connections.reduce(0) { $0 + $1.sent })
