import Foundation
import GameprofBasics
import GameprofReport

/// Serves the page of a running program to this machine: behind a token that stands in the address, and nothing else.
struct LiveServer {
    /// What the browser opens.
    let address: String
    private let listener: HTTPListener

    /// - Throws: `ToolError`: the port is taken.
    init(_ board: LiveBoard, port: UInt16, program: String, isProcess: Bool) throws {
        let routes = LiveRoutes(
            board: board, token: Self.token(), page: try LivePage.render(program: program, process: isProcess))
        do throws(HTTPListener.ListenError) {
            listener = try HTTPListener(
                at: .loopback(port: port), offering: "The page", thread: "gameprof serve", .page
            ) { request, _ in routes.answer(request) }
        } catch {
            throw ToolError(.wrongUsage, error.description)
        }
        guard case .loopback(let port) = listener.address else { throw ToolError(.toolFailed, "There is no port.") }
        address = "http://127.0.0.1:\(port)/\(routes.token)/"
    }

    func stop() { listener.stop() }

    /// 128 bits that nobody can guess.
    private static func token() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// What is behind each address.
struct LiveRoutes: Sendable {
    let board: LiveBoard
    let token: String
    let page: String

    private static let notFound = HTTPResponse.text(404, "Not found.")
    private static let longestTarget = 256

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard request.target.utf8.count <= Self.longestTarget else {
            return .text(414, "The request is too long.")
        }
        let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.count >= 2, path.first.map({ $0 == token }) ?? false else { return Self.notFound }
        let words = path.dropFirst().map(String.init)
        if request.method == .post { return words.count == 2 && words[0] == "action" ? act(words[1]) : Self.notFound }
        switch (words[0], words.count) {
        case ("", 1): return Self.html(page)
        case ("data", 1): return data(parts.count > 1 ? parts[1] : "")
        case ("report", 2): return Self.html(Int(words[1]).flatMap(board.report))
        case ("comparison", 2): return Self.html(Int(words[1]).flatMap(board.comparison))
        default: return Self.notFound
        }
    }

    private func act(_ action: String) -> HTTPResponse {
        board.act(action).map { .text(200, $0) } ?? .text(409, "That cannot be done now.")
    }

    private func data(_ query: Substring) -> HTTPResponse {
        var numbers: [Substring: Int] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, let number = Int(parts[1]) { numbers[parts[0]] = number }
        }
        let data = board.data(run: numbers["run"] ?? 0, since: numbers["since"] ?? 0)
        return HTTPResponse(200, contentType: "application/json", body: Array(data))
    }

    private static func html(_ page: String?) -> HTTPResponse {
        guard let page else { return notFound }
        return HTTPResponse(200, contentType: "text/html; charset=utf-8", body: Array(page.utf8))
    }
}
