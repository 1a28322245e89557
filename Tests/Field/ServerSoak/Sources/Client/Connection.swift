import Glibc

/// A connection that stays open, one request after the other.
package struct Connection: ~Copyable {
    private let socket: Int32
    private var unread: [UInt8] = []

    package struct Failed: Error {}

    package init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failed() }
        var enabled: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &enabled, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(socket) }

    /// Status and body.
    package mutating func request(_ method: String, _ path: String, _ body: String = "") throws -> (Int, String) {
        let text =
            "\(method) \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Content-Type: application/json\r\n\r\n" + body
        guard write(socket, text, text.utf8.count) == text.utf8.count else { throw Failed() }
        let head = try readHead()
        let status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
        var length = 0
        for line in head.lowercased().split(whereSeparator: \.isNewline) where line.hasPrefix("content-length:") {
            length = Int(line.dropFirst("content-length:".count).filter(\.isNumber)) ?? 0
        }
        while unread.count < length { try readMore() }
        let answer = String(decoding: unread.prefix(length), as: UTF8.self)
        unread.removeFirst(length)
        return (status, answer)
    }

    private mutating func readHead() throws -> String {
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let found = unread.firstRange(of: end) {
                let head = String(decoding: unread[..<found.lowerBound], as: UTF8.self)
                unread.removeFirst(found.upperBound)
                return head
            }
            try readMore()
        }
    }

    private mutating func readMore() throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(socket, &buffer, buffer.count)
        guard count > 0 else { throw Failed() }
        unread += buffer[..<count]
    }
}
