import Foundation
import GameprofProcessFigures
import InstrumentationEndpoints

/// One request and its answer.
struct HTTPConnection: Sendable {
    private static let longestHead = 8192
    private static let patience = 5

    private let descriptor: CInt

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// Reads the request, answers it and closes the connection. Never longer than the answer takes and ten seconds.
    func serve(_ endpoints: Endpoints) {
        defer { close(descriptor) }
        let end = ContinuousClock.now + .seconds(Self.patience)
        guard let head = readHead(until: end) else { return }
        switch Result(catching: { () throws(HTTPRequest.Refusal) in try HTTPRequest(head: head) }) {
        case .success(let request):
            send(endpoints.respond(to: request.target, while: isOpen), withBody: !request.isHead)
        case .failure(let refusal): send(head: refusal.status, contentType: "text/plain; charset=utf-8", body: [], true)
        }
    }

    /// Whether the other end waits for the answer.
    private func isOpen() -> Bool {
        let leftTheOtherEnd: CInt = 0x2000  // POLLRDHUP
        let end = CInt(POLLHUP) | CInt(POLLERR) | leftTheOtherEnd
        var state = pollfd(fd: descriptor, events: Int16(leftTheOtherEnd), revents: 0)
        return poll(&state, 1, 0) <= 0 || CInt(state.revents) & end == 0
    }

    private func setTimeout(_ option: CInt, until end: ContinuousClock.Instant) -> Bool {
        let rest = ContinuousClock.now.duration(to: end)
        guard rest > .zero else { return false }
        let (seconds, attoseconds) = rest.components
        // Not 0, which is for ever, and less than a second.
        let microseconds = max(1, min(999_999, attoseconds / 1_000_000_000_000))
        var time = timeval(tv_sec: Int(seconds), tv_usec: suseconds_t(microseconds))
        return setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size)) == 0
    }

    /// Up to the empty line; nil: it did not come in time, or is too long.
    private func readHead(until end: ContinuousClock.Instant) -> [UInt8]? {
        var head: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 2048)
        let emptyLine: [UInt8] = [13, 10, 13, 10]
        while head.count <= Self.longestHead, setTimeout(SO_RCVTIMEO, until: end) {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            let from = max(0, head.count - 3)
            head.append(contentsOf: piece.prefix(count))
            if head[from...].indices.contains(where: { head[$0...].starts(with: emptyLine) }) { return head }
        }
        return nil
    }

    private func send(_ response: Endpoints.Response, withBody: Bool) {
        send(head: response.status, contentType: response.contentType, body: response.body, withBody)
    }

    private func send(head status: Int, contentType: String, body: [UInt8], _ withBody: Bool) {
        let head = """
            HTTP/1.1 \(status) \(HTTPRequest.reason(status))\r
            Content-Type: \(contentType)\r
            Content-Length: \(body.count)\r
            Cache-Control: no-store\r
            X-Content-Type-Options: nosniff\r
            Connection: close\r
            \r

            """
        let all = Array(head.utf8) + (withBody ? body : [])
        let end = ContinuousClock.now + .seconds(Self.patience)
        var sent = 0
        all.withUnsafeBytes { bytes in
            while sent < bytes.count, setTimeout(SO_SNDTIMEO, until: end) {
                let count = Foundation.send(
                    descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, CInt(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                sent += count
            }
        }
        shutdown(descriptor, CInt(SHUT_WR))
    }
}
