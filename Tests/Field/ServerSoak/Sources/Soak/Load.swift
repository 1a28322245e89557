import Foundation

/// What several clients ask of a server: the same for every server with the same seed. Drawings of 100 bytes to 256 KB, evenly
/// over the logarithm; the number that lives rises and falls with a period of some minutes.
final class Load: @unchecked Sendable {
    private let server: Server
    private let clients: Int
    /// Requests a second, of all clients together.
    private let rate: Double
    private let end: Date
    private let lock = NSLock()
    private var answered = 0
    private var failed = 0
    private let group = DispatchGroup()

    init(on server: Server, clients: Int, rate: Double, until end: Date) {
        (self.server, self.clients, self.rate, self.end) = (server, clients, rate, end)
    }

    /// Answered requests, and those with another answer than the right one.
    var counts: (answered: Int, failed: Int) { lock.withLock { (answered, failed) } }

    func begin() {
        for client in 0..<clients {
            group.enter()
            Thread { [self] in
                do { try run(client) } catch { lock.withLock { failed += 1 } }
                group.leave()
            }.start()
        }
    }

    func wait() { group.wait() }

    private func run(_ client: Int) throws {
        var connection = try Connection(port: server.port)
        var random = Random(state: UInt64(client + 1))
        var living: [Int] = []
        let start = Date()
        var sent = 0
        func count(_ isRight: Bool) {
            lock.withLock { if isRight { answered += 1 } else { failed += 1 } }
        }
        func pace() {
            sent += 1
            let due = start.addingTimeInterval(Double(sent) * Double(clients) / rate)
            let early = due.timeIntervalSinceNow
            if early > 0 { Thread.sleep(forTimeInterval: early) }
        }
        // Turns are counted by requests, not by the clock, so that all servers are asked for the same.
        var turn = 0
        while Date() < end {
            let wave = 250 + 200 * sin(Double(turn) / 2_000)
            let size = Int(100 * pow(2_560, random.fraction()))
            let (status, body) = try connection.request("POST", "/drawings", "{\"size\": \(size)}")
            let id = body.firstRange(of: "\"id\":").flatMap { Int(body[$0.upperBound...].prefix { $0.isNumber }) }
            count(status == 201 && id != nil)
            if let id { living.append(id) }
            pace()
            if let some = living.randomElement(using: &random) {
                count(try connection.request("GET", "/drawings/\(some)").0 == 200)
                pace()
            }
            while Double(living.count) > wave {
                let gone = living.remove(at: Int(random.fraction() * Double(living.count)))
                count(try connection.request("DELETE", "/drawings/\(gone)").0 == 204)
                pace()
            }
            turn += 1
        }
    }
}

/// SplitMix64.
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
