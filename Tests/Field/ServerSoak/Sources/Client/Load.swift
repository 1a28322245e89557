import Foundation

/// What several clients ask of a server: the same for every server with the same seed. Drawings of 100 bytes to 256 KB, evenly
/// over the logarithm; the number that lives rises and falls with a period of some minutes.
package final class Load: @unchecked Sendable {
    private let server: Server
    private let clients: Int
    /// Requests a second, of all clients together.
    private let rate: Double
    private let until: Date
    private var isEnded = false
    private let lock = NSLock()
    private var answered = 0
    private var failed = 0
    /// How long each answered request took.
    private var seconds: [Double] = []
    private let group = DispatchGroup()

    package init(on server: Server, clients: Int, rate: Double, until end: Date) {
        (self.server, self.clients, self.rate, self.until) = (server, clients, rate, end)
    }

    /// Answered requests, and those with another answer than the right one.
    package var counts: (answered: Int, failed: Int) { lock.withLock { (answered, failed) } }

    /// Seconds within which this share of the requests was answered.
    package func latency(_ share: Double) -> Double {
        let sorted = lock.withLock { seconds.sorted() }
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    package func begin() {
        for client in 0..<clients {
            group.enter()
            Thread { [self] in
                do { try run(client) } catch { lock.withLock { failed += 1 } }
                group.leave()
            }.start()
        }
    }

    package func wait() { group.wait() }

    /// Ends the load before its time.
    package func end() {
        lock.withLock { isEnded = true }
        wait()
    }

    private func run(_ client: Int) throws {
        var connection = try Connection(port: server.port)
        var random = Random(state: UInt64(client + 1))
        var living: [Int] = []
        let start = Date()
        var sent = 0
        func ask(_ method: String, _ path: String, _ body: String = "", isRight: (Int, String) -> Bool) throws {
            let asked = DispatchTime.now().uptimeNanoseconds
            let (status, answer) = try connection.request(method, path, body)
            let took = Double(DispatchTime.now().uptimeNanoseconds - asked) / 1e9
            lock.withLock {
                if isRight(status, answer) { answered += 1 } else { failed += 1 }
                seconds.append(took)
            }
        }
        func pace() {
            sent += 1
            let due = start.addingTimeInterval(Double(sent) * Double(clients) / rate)
            let early = due.timeIntervalSinceNow
            if early > 0 { Thread.sleep(forTimeInterval: early) }
        }
        // Turns are counted by requests, not by the clock, so that all servers are asked for the same.
        var turn = 0
        while Date() < until, !lock.withLock({ isEnded }) {
            let wave = 250 + 200 * sin(Double(turn) / 2_000)
            let size = Int(100 * pow(2_560, random.fraction()))
            try ask("POST", "/drawings", "{\"size\": \(size)}") { status, body in
                let id = body.firstRange(of: "\"id\":").flatMap { Int(body[$0.upperBound...].prefix { $0.isNumber }) }
                if let id { living.append(id) }
                return status == 201 && id != nil
            }
            pace()
            if let some = living.randomElement(using: &random) {
                try ask("GET", "/drawings/\(some)") { status, _ in status == 200 }
                pace()
            }
            while Double(living.count) > wave {
                let gone = living.remove(at: Int(random.fraction() * Double(living.count)))
                try ask("DELETE", "/drawings/\(gone)") { status, _ in status == 204 }
                pace()
            }
            turn += 1
        }
    }
}

/// SplitMix64.
package struct Random: RandomNumberGenerator {
    private var state: UInt64

    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    package mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
