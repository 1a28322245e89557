import Testing

@testable import InstrumentationServing

@Suite struct HTTPRequestTests {
    private static func read(_ head: String) throws -> HTTPRequest { try HTTPRequest(head: Array(head.utf8)) }

    @Test func theTargetIsRead() throws {
        let request = try Self.read("GET /metrics?a=b HTTP/1.1\r\nHost: 127.0.0.1:6060\r\n\r\n")
        #expect(request == HTTPRequest(target: "/metrics?a=b", isHead: false))
        #expect(try Self.read("HEAD / HTTP/1.0\r\n\r\n").isHead)
    }

    @Test(
        "requests that are no local GET are refused",
        arguments: [
            ("", 400), ("GET /metrics\r\n\r\n", 400), ("GET http://a/ HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.x\r\n\r\n", 400), ("GET /\u{1}a HTTP/1.0\r\n\r\n", 400),
            ("POST /metrics HTTP/1.1\r\n\r\n", 405), ("get / HTTP/1.1\r\n\r\n", 405), ("\0\u{fffd} / HTTP/1.1", 405),
            ("GET / HTTP/1.1\r\nHost: attacker.example:6060\r\n\r\n", 421),
            ("GET / HTTP/1.1\r\nhost:1.2.3.4.example\r\n\r\n", 421),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n", 403),
            ("GET / HTTP/1.1\r\nSec-Fetch-Site: Cross-Site\r\n\r\n", 403),
        ])
    func refusals(head: String, status: Int) {
        #expect(throws: HTTPRequest.Refusal(status: status)) { try Self.read(head) }
    }

    @Test(
        "heads that RFC 9112 forbids are refused",
        arguments: [
            "Host : localhost", "Host\t: localhost", "Host: localhost\r\n folded", "Host: localhost\r\n\tfolded",
            " Host: localhost", "Host: localhost\r\nno field", "Host: localhost\r\n: nameless", "Host: localhost\0",
            "Host: localhost\nHost: attacker.example", "Host: localhost\rX: y", "Host: localhost\r\nHost: localhost",
            "Höst: localhost", "X: no host",
        ])
    func damagedFields(fields: String) {
        #expect(throws: HTTPRequest.Refusal(status: 400)) {
            try Self.read("GET /metrics HTTP/1.1\r\n\(fields)\r\n\r\n")
        }
    }

    @Test("what stands behind the empty line is no part of the head")
    func body() throws {
        let request = try Self.read(
            "GET / HTTP/1.1\r\nHost:\tlocalhost \r\nX-Text: a:b\tö\r\n\r\nHost : attacker.example\r\n\r\n")
        #expect(request.target == "/")
    }

    @Test(
        "addresses and localhost name this machine",
        arguments: ["localhost", "LOCALHOST:80", "127.0.0.1", "10.1.2.3:6060", "[::1]:6060", ""])
    func hosts(host: String) throws {
        #expect(try Self.read("GET /metrics HTTP/1.1\r\nHost: \(host)\r\n\r\n").target == "/metrics")
    }
}
