import Testing

@testable import GameprofBasics

@Suite struct HTTPRequestTests {
    private static func read(_ head: String, _ rules: RequestRules = .figures) throws -> HTTPRequest {
        try HTTPRequest(head: Array(head.utf8), rules)
    }

    @Test func theTargetIsRead() throws {
        let request = try Self.read("GET /metrics?a=b HTTP/1.1\r\nHost: 127.0.0.1:6060\r\n\r\n")
        #expect(request == HTTPRequest(target: "/metrics?a=b"))
        #expect(try Self.read("HEAD / HTTP/1.0\r\n\r\n").method == .head)
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

    @Test(
        "a page answers requests of its own scripts, of this machine's names",
        arguments: [
            "Host: 127.0.0.1:8080", "Host: localhost:1", "Host: LOCALHOST",
            "Host: 127.0.0.1:8080\r\nOrigin: http://127.0.0.1:8080\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 0",
            "Sec-Fetch-Site: none\r\nHost: localhost",
        ])
    func pageRequests(fields: String) throws {
        #expect(try Self.read("POST /a HTTP/1.1\r\n\(fields)\r\n\r\n", .page).method == .post)
    }

    @Test(
        "a page refuses all others",
        arguments: [
            ("POST / HTTP/1.0", 400), ("PUT / HTTP/1.1\r\nHost: localhost", 405),
            ("GET / HTTP/1.1\r\nHost: attacker.example", 421), ("GET / HTTP/1.1\r\nHost: 10.0.0.1", 421),
            ("GET / HTTP/1.1\r\nHost: 127.0.0.1.example", 421), ("GET / HTTP/1.1\r\nHost: [::1]", 421),
            ("GET / HTTP/1.1\r\nHost:", 421), ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost", 400),
            ("POST / HTTP/1.1\r\nHost: localhost:1\r\nOrigin: http://localhost:2", 403),
            ("POST / HTTP/1.1\r\nHost: localhost:1\r\nOrigin: https://localhost:1", 403),
            ("POST / HTTP/1.1\r\nOrigin: null\r\nHost: localhost:1", 403),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-site", 403),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site", 403),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5", 413),
            ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked", 413),
        ])
    func pageRefusals(head: String, status: Int) {
        #expect(throws: HTTPRequest.Refusal(status: status)) { try Self.read("\(head)\r\n\r\n", .page) }
    }
}
