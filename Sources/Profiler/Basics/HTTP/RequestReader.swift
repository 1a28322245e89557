import Foundation

/// Reads the requests of all connections, on one thread.
///
/// A connection has five seconds for its whole request, and 8 KB. When another one comes and every place is taken, that is
/// closed which has waited longest for the rest of its request.
struct RequestReader {
    /// A connection whose request has not come as a whole.
    private struct Incomplete {
        let connection: HTTPConnection
        let end: ContinuousClock.Instant
        var head: [UInt8] = []
    }

    private static let places = 16
    private static let longestHead = 8192
    private static let patience = Duration.seconds(5)
    /// Before what came meanwhile is read.
    private static let acceptedAtOnce = 64

    private let listening: ListeningSocket
    private let queue: RequestQueue
    private let rules: RequestRules
    /// The oldest first.
    private var incomplete: [Incomplete] = []

    init(_ listening: ListeningSocket, to queue: RequestQueue, _ rules: RequestRules) {
        (self.listening, self.queue, self.rules) = (listening, queue, rules)
    }

    /// Until the socket is closed.
    mutating func run() {
        repeat {
            readAll(waitForConnections())
            let now = ContinuousClock.now
            while let oldest = incomplete.first, oldest.end <= now { closeOldest() }
        } while acceptAll()
        for one in incomplete { one.connection.close() }
        queue.close()
    }

    /// Waits for a connection, a part of a request, or the end of the oldest one's time. Which of `incomplete` have something.
    private func waitForConnections() -> [Int] {
        var states = ([listening.descriptor] + incomplete.map(\.connection.descriptor))
            .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let rest = incomplete.first.map { max(.zero, ContinuousClock.now.duration(to: $0.end)) / .milliseconds(1) }
        if poll(&states, nfds_t(states.count), rest.map { CInt($0.rounded(.up)) } ?? -1) < 0, errno != EINTR {
            usleep(100_000)
        }
        return incomplete.indices.filter { states[$0 + 1].revents != 0 }
    }

    private mutating func readAll(_ ready: [Int]) {
        // From behind: who has said all leaves the list.
        for index in ready.reversed() { read(index) }
    }

    /// Reads what has come, and hands the request over when it is complete.
    private mutating func read(_ index: Int) {
        let connection = incomplete[index].connection
        switch connection.receive(into: &incomplete[index].head, most: Self.longestHead) {
        case .more: return
        case .ended: connection.close()
        case .complete:
            let head = incomplete[index].head
            switch Result(catching: { () throws(HTTPRequest.Refusal) in try HTTPRequest(head: head, rules) }) {
            case .success(let request):
                if !queue.add(.init(connection: connection, request: request)) { connection.refuse(503) }
            case .failure(let refusal): connection.refuse(refusal.status)
            }
        }
        incomplete.remove(at: index)
    }

    /// Unless its request has come by now.
    private mutating func closeOldest() {
        let count = incomplete.count
        read(0)
        if incomplete.count == count { incomplete.removeFirst().connection.close() }
    }

    /// False: the socket is closed.
    private mutating func acceptAll() -> Bool {
        for _ in 0..<Self.acceptedAtOnce {
            switch listening.accept() {
            case .connection(let descriptor):
                if incomplete.count >= Self.places { closeOldest() }
                incomplete.append(
                    Incomplete(connection: HTTPConnection(descriptor), end: ContinuousClock.now + Self.patience))
            case .none: return true
            case .shortage:
                // The program needs descriptors and memory more.
                if incomplete.isEmpty { usleep(100_000) } else { closeOldest() }
                return true
            case .closed: return false
            }
        }
        return true
    }
}
