import Foundation
import GameprofBasics
import Testing

@testable import gameprof

@Suite struct LiveRoutesTests {
    private let routes = LiveRoutes(board: LiveBoard(), token: "0123456789abcdef", page: "<p>page</p>")

    private func status(_ target: String, _ method: HTTPRequest.Method = .get) -> Int {
        routes.answer(HTTPRequest(target: target, method: method)).status
    }

    @Test func `the page and its figures stand behind the token`() throws {
        let page = routes.answer(HTTPRequest(target: "/0123456789abcdef/"))
        #expect(page.status == 200 && page.contentType == "text/html; charset=utf-8")
        let data = routes.answer(HTTPRequest(target: "/0123456789abcdef/data?run=1&since=x&&=&since=9"))
        #expect(data.status == 200 && data.contentType == "application/json")
        let answer = try #require(try JSONSerialization.jsonObject(with: Data(data.body)) as? [String: Any])
        #expect(answer["state"] as? String == "running" && answer["reports"] as? [Int] == [])
    }

    @Test(
        "everything else is not found",
        arguments: [
            "/", "/data", "//", "/0123456789abcdef", "/0123456789abcde/", "/0123456789abcdef0/", "/0123456789ABCDEF/",
            "/x/0123456789abcdef/", "/0123456789abcdef//", "/0123456789abcdef/data/", "/0123456789abcdef/../",
            "/0123456789abcdef/report/1", "/0123456789abcdef/report/", "/0123456789abcdef/report/-1",
            "/0123456789abcdef/comparison/1", "/0123456789abcdef/action/stop", "/%30123456789abcdef/",
            "/0123456789abcdef/report/99999999999999999999999",
        ])
    func notFound(target: String) {
        #expect(status(target) == 404)
    }

    @Test func `a long request is refused`() {
        #expect(status("/0123456789abcdef/data?" + String(repeating: "a", count: 300)) == 414)
    }

    @Test func `buttons need POST, and what cannot be done now is refused`() {
        for action in ["stop", "quit", "snapshot", "mark", "nothing", ""] {
            #expect(status("/0123456789abcdef/action/\(action)", .post) == 409, "\(action)")
        }
        #expect(status("/0123456789abcdef/action/again", .post) == 200)
        #expect(status("/0123456789abcdef/", .post) == 404 && status("/action/again", .post) == 404)
        #expect(routes.board.wantsAgain)
    }
}
