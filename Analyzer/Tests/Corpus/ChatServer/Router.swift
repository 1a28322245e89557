import Foundation

struct Request {
    var path: String
    var body: Data?
}

struct Response {
    var status: Int
    var text: String
}

typealias Handler = (Request) -> Response

/// Routes by path. Holds handlers for as long as it lives.
final class Router {
    private var routes: [String: Handler] = [:]
    private var filters: [(Request) -> Request?] = []

    @discardableResult
    func get(_ path: String, handler: @escaping Handler) -> Router {
        routes[path] = handler
        return self
    }

    func filter(_ filter: @escaping (Request) -> Request?) {
        filters.append(filter)
    }

    /// Calls the body at once.
    func group(_ prefix: String, configure: (Router) -> Void) {
        configure(self)
    }

    func handle(_ request: Request) -> Response {
        routes[request.path]?(request) ?? Response(status: 404, text: "")
    }
}

/// Pages of one site: owns a router and registers itself with it.
final class PagesController {
    private let router = Router()
    private let title: String
    private var hits = 0

    init(title: String) {
        self.title = title
    }

    func boot() {
        router.get("/") { request in  // suspect: stored-closure
            self.hits += 1
            return Response(status: 200, text: self.title)
        }
        router.get("/about", handler: about)  // suspect: stored-method
        router.get("/health") { [weak self] _ in  // no-finding: stored-closure
            Response(status: self == nil ? 503 : 200, text: "ok")
        }
        let title = title
        router.get("/title") { _ in  // no-finding: stored-closure
            Response(status: 200, text: title)
        }
        router.group("/admin") { router in  // no-finding: stored-closure
            self.hits = 0
            router.filter { $0 }
        }
    }

    private func about(_ request: Request) -> Response {
        Response(status: 200, text: "About \(title)")
    }
}

/// Borrows a router that somebody else keeps: no circle from here.
struct HealthRoutes {
    let started = Date()

    func register(in router: Router) {
        router.get("/uptime") { _ in  // no-finding: stored-closure
            Response(status: 200, text: "\(Date().timeIntervalSince(self.started))")
        }
    }
}
