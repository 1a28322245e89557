import Foundation

// HTTP-like router: route builder, middleware chain, controllers and an access log.

struct Request {
    var method: String
    var path: String
    var headers: [String: String] = [:]
    var parameters: [String: String] = [:]
}

struct Response {
    var status: Int
    var body: String

    static func text(_ body: String) -> Response { Response(status: 200, body: body) }
    static let notFound = Response(status: 404, body: "not found")
}

typealias Handler = (Request) throws -> Response
typealias Middleware = (Request, Handler) throws -> Response

struct Route {
    let method: String
    let pattern: [Substring]
    let handler: Handler

    init(_ method: String, _ path: String, _ handler: @escaping Handler) {
        self.method = method
        self.pattern = path.split(separator: "/")
        self.handler = handler
    }

    func match(_ request: Request) -> [String: String]? {
        guard request.method == method else { return nil }
        let parts = request.path.split(separator: "/")
        guard parts.count == pattern.count else { return nil }
        var values: [String: String] = [:]
        for (want, got) in zip(pattern, parts) {
            if want.hasPrefix(":") {
                values[String(want.dropFirst())] = String(got)
            } else if want != got {
                return nil
            }
        }
        return values
    }
}

@resultBuilder
enum RouteBuilder {
    static func buildBlock(_ parts: [Route]...) -> [Route] { parts.flatMap { $0 } }
    static func buildExpression(_ route: Route) -> [Route] { [route] }
    static func buildExpression(_ routes: [Route]) -> [Route] { routes }
    static func buildOptional(_ routes: [Route]?) -> [Route] { routes ?? [] }
}

struct RingLog {
    private var slots: [String?]
    private var position = 0

    init(size: Int) {
        slots = Array(repeating: nil, count: size)
    }

    mutating func append(_ line: String) {
        slots[position % slots.count] = line
        position += 1
    }

    var kept: Int { slots.compactMap { $0 }.count }
    var total: Int { position }
}

final class AccessLog {
    private var ring = RingLog(size: 20)

    func record(_ request: Request, _ response: Response) {
        ring.append("\(request.method) \(request.path) -> \(response.status)")
    }

    var tail: String { "\(ring.total) requests, \(ring.kept) kept" }
}

final class ScoreStore {
    private var best: [String: Int] = ["ada": 120, "bob": 80]
    private let playerLimit = 50

    func score(of player: String) -> Int? { best[player] }

    func submit(_ player: String, _ score: Int) -> Bool {
        if let old = best[player], old >= score { return false }
        best[player] = score
        if best.count > playerLimit, let worst = best.min(by: { $0.value < $1.value }) {
            best.removeValue(forKey: worst.key)
        }
        return true
    }
}

final class ScoreController {
    private let store: ScoreStore
    private var hits = 0

    init(store: ScoreStore) {
        self.store = store
    }

    var routes: [Route] {
        [
            Route("GET", "/scores/:player", show),
            Route("PUT", "/scores/:player/:value", update),
        ]
    }

    func show(_ request: Request) -> Response {
        hits += 1
        guard let name = request.parameters["player"], let score = store.score(of: name) else {
            return .notFound
        }
        return .text("\(name)=\(score)")
    }

    func update(_ request: Request) -> Response {
        hits += 1
        guard let name = request.parameters["player"],
              let value = request.parameters["value"].flatMap(Int.init) else {
            return Response(status: 400, body: "bad score")
        }
        return .text(store.submit(name, value) ? "stored" : "ignored")
    }
}

final class Gatekeeper {
    unowned let application: Application
    private var failures: [String: Int] = [:]

    init(application: Application) {
        self.application = application
    }

    func check(_ request: Request, _ next: Handler) throws -> Response {
        let key = request.headers["key"] ?? ""
        guard application.keys.contains(key) else {
            let origin = request.headers["origin"] ?? "?"
            failures[origin, default: 0] += 1
            if failures.count > 100 { failures.removeAll() }
            return Response(status: 401, body: "no key")
        }
        return try next(request)
    }
}

/// Chain of responsibility for requests that no route takes.
class Fallback {
    private let next: Fallback?

    init(next: Fallback? = nil) {
        self.next = next
    }

    func respond(_ request: Request) -> Response? { next?.respond(request) }
}

final class HelpFallback: Fallback {
    override func respond(_ request: Request) -> Response? {
        request.path == "/help" ? .text("see the manual") : super.respond(request)
    }
}

final class Application {
    let keys: Set<String> = ["k1", "k2"]
    private var routes: [Route] = []
    private var middleware: [Middleware] = []
    private var fallback: Fallback?
    private var composed: Handler?
    private lazy var gate = Gatekeeper(application: self)
    private let log = AccessLog()

    func install(@RouteBuilder _ build: () -> [Route]) {
        routes.append(contentsOf: build())
    }

    func use(_ layer: @escaping Middleware) {
        middleware.append(layer)
        composed = nil
    }

    func configure(debug: Bool) {
        let log = self.log
        use { request, next in
            let response = try next(request)
            log.record(request, response)
            return response
        }
        let gate = self.gate
        use { try gate.check($0, $1) }
        install {
            Route("GET", "/health") { [unowned self] _ in .text("up, \(self.routes.count) routes") }
            if debug {
                Route("GET", "/log") { _ in .text(log.tail) }
            }
        }
        fallback = HelpFallback(next: Fallback())
    }

    func handle(_ request: Request) -> Response {
        let handler = composed ?? compose()
        composed = handler
        return (try? handler(request)) ?? Response(status: 500, body: "failed")
    }

    private func compose() -> Handler {
        let dispatch: Handler = { [weak self] request in self?.dispatch(request) ?? .notFound }
        return middleware.reversed().reduce(dispatch) { inner, layer in
            { request in try layer(request, inner) }
        }
    }

    private func dispatch(_ request: Request) -> Response {
        for route in routes {
            if let values = route.match(request) {
                var filled = request
                filled.parameters = values
                return (try? route.handler(filled)) ?? .notFound
            }
        }
        return fallback?.respond(request) ?? .notFound
    }
}

func serve() {
    let application = Application()
    let controller = ScoreController(store: ScoreStore())
    application.configure(debug: true)
    application.install { controller.routes }
    let headers = ["key": "k1", "origin": "10.0.0.9"]
    for value in 0..<60 {
        _ = application.handle(Request(method: "PUT", path: "/scores/p\(value)/\(value)", headers: headers))
    }
    for path in ["/scores/ada", "/scores/p3", "/health", "/log", "/help", "/none"] {
        let response = application.handle(Request(method: "GET", path: path, headers: headers))
        print(path, response.status, response.body)
    }
    print(application.handle(Request(method: "GET", path: "/health")).status)
}

serve()
