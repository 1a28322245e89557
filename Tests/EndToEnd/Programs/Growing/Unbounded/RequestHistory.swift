// A singleton keeps a record of each request "for debugging".
import Foundation

final class Exchange {
    let path: String
    let body: [UInt8]
    let started: Int
    var ended = 0
    init(path: String, body: [UInt8], started: Int) {
        self.path = path
        self.body = body
        self.started = started
    }
}
final class Diagnostics {
    nonisolated(unsafe) static let shared = Diagnostics()
    private(set) var exchanges: [Exchange] = []
    private init() {}
    func begin(_ path: String, _ body: [UInt8], at time: Int) -> Exchange {
        let exchange = Exchange(path: path, body: body, started: time)
        exchanges.append(exchange)
        return exchange
    }
}
final class Session {
    let user: String
    var token: String
    var last = 0
    init(user: String, token: String) {
        self.user = user
        self.token = token
    }
}
final class Sessions {
    private var byToken: [String: Session] = [:]
    func login(_ user: String, at time: Int) -> Session {
        let session = Session(user: user, token: "\(user)-\(time)")
        byToken[session.token] = session
        session.last = time
        return session
    }
    func expire(before time: Int) { byToken = byToken.filter { $0.value.last >= time } }
    var count: Int { byToken.count }
}
struct Service {
    let sessions = Sessions()
    func handle(_ number: Int) -> Int {
        let body = Array(
            "user=\(number % 77)&value=\(number)&padding=\(String(repeating: "x", count: number % 60))".utf8)
        let exchange = Diagnostics.shared.begin("/submit/\(number % 9)", body, at: number)
        let session = sessions.login("user\(number % 77)", at: number)
        let result = body.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xffff }
        session.last = number
        exchange.ended = number + 1
        if number % 20 == 0 { sessions.expire(before: number - 60) }
        return result
    }
}
@main struct Main {
    static func main() async {
        let service = Service()
        var sum = 0
        for number in 0..<1_500 {
            sum &+= service.handle(number)
            if number % 50 == 0 { await Task.yield() }
        }
        print("sum", sum, "sessions", service.sessions.count)
    }
}
