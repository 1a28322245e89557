import Foundation

struct Request: Sendable {
    var method = "GET"
    var path: String
    var headers: [String: String] = [:]
    var body = ""
}

struct Response: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body = ""
}

typealias Responder = @Sendable (Request) async throws -> Response

protocol Middleware: Sendable {
    func respond(to request: Request, next: Responder) async throws -> Response
}

struct ErrorPage: Middleware {
    func respond(to request: Request, next: Responder) async throws -> Response {
        do {
            return try await next(request)
        } catch {
            return Response(status: 500, body: "\(type(of: error))")
        }
    }
}

struct HeaderStamp: Middleware {
    let name: String
    let value: @Sendable () -> String

    func respond(to request: Request, next: Responder) async throws -> Response {
        var response = try await next(request)
        response.headers[name] = value()
        return response
    }
}

/// Serves repeated GETs from memory for a short time.
final class ResponseCache: Middleware, @unchecked Sendable {
    private struct Entry {
        let response: Response
        let expires: ContinuousClock.Instant
    }

    private let lock = NSLock()
    private var entries: [String: Entry] = [:]
    private let lifetime: Duration
    private(set) var hits = 0

    init(lifetime: Duration) {
        self.lifetime = lifetime
    }

    func respond(to request: Request, next: Responder) async throws -> Response {
        guard request.method == "GET" else { return try await next(request) }
        if let cached = lookup(request.path) { return cached }
        let response = try await next(request)
        store(response, for: request.path)
        return response
    }

    private func lookup(_ path: String) -> Response? {
        lock.withLock {
            guard let entry = entries[path], entry.expires > .now else { return nil }
            hits += 1
            return entry.response
        }
    }

    private func store(_ response: Response, for path: String) {
        lock.withLock {
            let now = ContinuousClock.now
            entries = entries.filter { $0.value.expires > now }
            entries[path] = Entry(response: response, expires: now + lifetime)
        }
    }
}

struct RouteTable: Sendable {
    private var routes: [String: Responder] = [:]

    mutating func get(_ path: String, _ responder: @escaping Responder) {
        routes["GET " + path] = responder
    }

    mutating func post(_ path: String, _ responder: @escaping Responder) {
        routes["POST " + path] = responder
    }

    func responder(for request: Request) -> Responder {
        routes["\(request.method) \(request.path)"] ?? { request in Response(status: 404, body: request.path) }
    }
}

final class Application: Sendable {
    private let table: RouteTable
    private let middleware: [any Middleware]

    init(table: RouteTable, middleware: [any Middleware]) {
        self.table = table
        self.middleware = middleware
    }

    func handle(_ request: Request) async throws -> Response {
        let endpoint: Responder = { request in try await self.table.responder(for: request)(request) }
        let chain = middleware.reversed().reduce(endpoint) { next, layer in
            { request in try await layer.respond(to: request, next: next) }
        }
        return try await chain(request)
    }
}

actor GuestBook {
    private var entries: [String] = []
    private let capacity = 100

    func sign(_ name: String) -> Int {
        entries.append(name)
        if entries.count > capacity { entries.removeFirst() }
        return entries.count
    }

    func page() -> String { entries.joined(separator: "\n") }

    func routes(into table: inout RouteTable) {
        table.get("/book") { _ in Response(body: await self.page()) }
        table.post("/book") { request in
            Response(status: 201, body: String(await self.sign(request.body)))
        }
    }
}

func makeTable(_ book: GuestBook) async -> RouteTable {
    var table = RouteTable()
    table.get("/fail") { _ in throw CancellationError() }
    table.get("/book") { _ in Response(body: await book.page()) }
    table.post("/book") { Response(status: 201, body: String(await book.sign($0.body))) }
    return table
}

let cache = ResponseCache(lifetime: .seconds(1))
let application = Application(
    table: await makeTable(GuestBook()),
    middleware: [ErrorPage(), HeaderStamp(name: "server", value: { "swift" }), cache]
)
for request in [Request(method: "POST", path: "/book", body: "ada"), Request(path: "/book"), Request(path: "/book"), Request(path: "/fail"), Request(path: "/none")] {
    let response = try await application.handle(request)
    print(response.status, response.body, response.headers)
}
print(cache.hits)
