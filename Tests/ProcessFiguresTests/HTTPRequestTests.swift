import Testing

@testable import GameprofProcessFigures

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
        "addresses and localhost name this machine",
        arguments: ["localhost", "LOCALHOST:80", "127.0.0.1", "10.1.2.3:6060", "[::1]:6060", ""])
    func hosts(host: String) throws {
        #expect(try Self.read("GET /metrics HTTP/1.1\r\nHost: \(host)\r\n\r\n").target == "/metrics")
    }
}
