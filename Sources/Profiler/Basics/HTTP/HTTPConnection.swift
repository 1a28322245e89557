import Foundation

/// A connection for one request and its answer.
struct HTTPConnection: Sendable {
    /// What came of a request.
    enum Received { case complete, more, ended }

    private static let patience = Duration.seconds(5)
    /// While another request waits for the thread.
    private static let patienceInACrowd = Duration.seconds(1)
    private static let stall = Duration.milliseconds(250)

    let descriptor: CInt

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    func close() { Foundation.close(descriptor) }

    /// Reads once, without a wait. Complete is what has the empty line; more than `most` bytes are no request.
    func receive(into head: inout [UInt8], most: Int) -> Received {
        var piece = [UInt8](repeating: 0, count: 2048)
        let count = recv(descriptor, &piece, piece.count, CInt(MSG_DONTWAIT))
        if count < 0, errno == EINTR || errno == EAGAIN { return .more }
        guard count > 0 else { return .ended }
        let from = max(0, head.count - 3)
        head.append(contentsOf: piece.prefix(count))
        let emptyLine: [UInt8] = [13, 10, 13, 10]
        if head[from...].indices.contains(where: { head[$0...].starts(with: emptyLine) }) { return .complete }
        return head.count > most ? .ended : .more
    }

    /// Answers and closes the connection. Sending takes five seconds at most, and less when `isCrowded` says that others wait.
    func answer(_ request: HTTPRequest, by answer: HTTPListener.Answer, while isCrowded: () -> Bool) {
        let response = answer(request, isOpen)
        let head = Self.head(response, length: response.body.count)
        send(head + (request.method == .head ? [] : response.body), while: isCrowded)
        shutdown(descriptor, CInt(SHUT_WR))
        close()
    }

    /// Says so without a wait and closes the connection.
    func refuse(_ status: Int) {
        let head = Self.head(HTTPResponse(status, contentType: "text/plain; charset=utf-8"), length: 0)
        Foundation.send(descriptor, head, head.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        shutdown(descriptor, CInt(SHUT_WR))
        close()
    }

    /// Whether the other end waits for the answer.
    private func isOpen() -> Bool {
        let leftTheOtherEnd: CInt = 0x2000  // POLLRDHUP
        let end = CInt(POLLHUP) | CInt(POLLERR) | leftTheOtherEnd
        var state = pollfd(fd: descriptor, events: Int16(leftTheOtherEnd), revents: 0)
        return poll(&state, 1, 0) <= 0 || CInt(state.revents) & end == 0
    }

    private static func head(_ response: HTTPResponse, length: Int) -> [UInt8] {
        let head = """
            HTTP/1.1 \(response.status) \(HTTPResponse.reason(response.status))\r
            Content-Type: \(response.contentType)\r
            Content-Length: \(length)\r
            Cache-Control: no-store\r
            X-Content-Type-Options: nosniff\r
            Referrer-Policy: same-origin\r
            Connection: close\r
            \r

            """
        return Array(head.utf8)
    }

    private func send(_ all: [UInt8], while isCrowded: () -> Bool) {
        var stall = timeval(tv_sec: 0, tv_usec: suseconds_t(Self.stall / .microseconds(1)))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &stall, socklen_t(MemoryLayout<timeval>.size))
        let begin = ContinuousClock.now
        var sent = 0
        all.withUnsafeBytes { bytes in
            while sent < bytes.count {
                let count = Foundation.send(
                    descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, CInt(MSG_NOSIGNAL))
                let reason = errno
                let isStalled = count < 0 && reason == EAGAIN
                if isStalled, isCrowded() { return }
                guard count > 0 || isStalled || count < 0 && reason == EINTR else { return }
                sent += max(0, count)
                let patience = isCrowded() ? Self.patienceInACrowd : Self.patience
                guard ContinuousClock.now - begin < patience else { return }
            }
        }
    }
}
