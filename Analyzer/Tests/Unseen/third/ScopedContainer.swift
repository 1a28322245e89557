import Foundation

// MARK: - Registration

protocol Disposable: AnyObject {
    func dispose()
}

final class WeakBox<T: AnyObject> {
    private(set) weak var value: T?

    init(_ value: T) {
        self.value = value
    }
}

final class Scope {
    typealias Factory = (Scope) -> AnyObject

    private let name: String
    private let parent: Scope?
    private var factories: [ObjectIdentifier: Factory] = [:]
    private var instances: [ObjectIdentifier: AnyObject] = [:]
    private var children: [WeakBox<Scope>] = []
    private var cleanups: [() -> Void] = []
    private var isClosed = false

    init(name: String, parent: Scope? = nil) {
        self.name = name
        self.parent = parent
    }

    func child(_ name: String) -> Scope {
        let scope = Scope(name: name, parent: self)
        children.removeAll { $0.value == nil }
        children.append(WeakBox(scope))
        return scope
    }

    func provide<T: AnyObject>(_ type: T.Type, _ factory: @escaping (Scope) -> T) {
        factories[ObjectIdentifier(type)] = { scope in factory(scope) }
    }

    func get<T: AnyObject>(_ type: T.Type = T.self) -> T {
        precondition(!isClosed, "scope \(name) is closed")
        let key = ObjectIdentifier(type)
        if let made = instances[key] as? T { return made }
        if let factory = factories[key], let made = factory(self) as? T {
            instances[key] = made
            if let disposable = made as? any Disposable {
                cleanups.append { disposable.dispose() }
            }
            return made
        }
        guard let parent else { fatalError("\(type) is unknown in \(name)") }
        return parent.get(type)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        for child in children { child.value?.close() }
        let pending = cleanups
        cleanups = []
        for cleanup in pending.reversed() { cleanup() }
        instances = [:]
        factories = [:]
    }
}

/// Runs `body` in a fresh scope and closes the scope on every path out.
func withScope<R>(_ name: String, in parent: Scope? = nil, _ body: (Scope) throws -> R) rethrows -> R {
    let scope = parent?.child(name) ?? Scope(name: name)
    defer { scope.close() }
    return try body(scope)
}

// MARK: - Services

final class Database: Disposable {
    private var tables: [String: [Int: String]] = ["users": [1: "ada", 2: "alan"]]
    private var open = true

    func row(_ table: String, _ id: Int) -> String? {
        open ? tables[table]?[id] : nil
    }

    func dispose() { open = false }
}

final class UserRepository {
    private let database: Database

    init(database: Database) {
        self.database = database
    }

    func user(_ id: Int) -> String? { database.row("users", id) }
}

final class Router {
    typealias Handler = (Int) throws -> String

    private let scope: Scope
    private var routes: [String: Handler] = [:]

    init(scope: Scope) {
        self.scope = scope
    }

    func install() {
        routes["user"] = { [unowned self] id in
            try self.scope.get(UserController.self).show(id)
        }
        routes["health"] = { _ in "ok" }
    }

    func handle(_ route: String, _ id: Int) throws -> String {
        guard let handler = routes[route] else { throw HTTPError.notFound(route) }
        return try handler(id)
    }
}

enum HTTPError: Error {
    case notFound(String)
}

final class UserController {
    private let repository: UserRepository
    private weak var router: Router?

    init(repository: UserRepository, router: Router) {
        self.repository = repository
        self.router = router
    }

    func show(_ id: Int) throws -> String {
        guard let name = repository.user(id) else { throw HTTPError.notFound("user \(id)") }
        let health = try router?.handle("health", 0) ?? "?"
        return "\(name) (\(health))"
    }
}

final class RequestContext: Disposable {
    let id: Int
    private var scope: Scope?
    private var onEnd: (() -> Void)?
    private(set) var notes = 0

    init(id: Int, scope: Scope) {
        self.id = id
        self.scope = scope
        onEnd = {
            print("request", self.id, "notes", self.notes)
        }
    }

    func note(_ text: String) {
        notes += scope == nil ? 0 : 1
    }

    func dispose() {
        onEnd?()
        onEnd = nil
        scope = nil
    }
}

// MARK: - Application

final class Application {
    private let root = Scope(name: "app")
    private var requestCount = 0

    init() {
        root.provide(Database.self) { _ in Database() }
        root.provide(UserRepository.self) { UserRepository(database: $0.get()) }
        root.provide(Router.self) { scope in
            let router = Router(scope: scope)
            router.install()
            return router
        }
        root.provide(UserController.self) { scope in
            UserController(repository: scope.get(), router: scope.get())
        }
    }

    func serve(_ route: String, _ id: Int) throws -> String {
        requestCount += 1
        let number = requestCount
        return try withScope("request", in: root) { scope in
            scope.provide(RequestContext.self) { RequestContext(id: number, scope: $0) }
            let context = scope.get(RequestContext.self)
            context.note(route)
            let answer = try scope.get(Router.self).handle(route, id)
            context.note("answered")
            return answer
        }
    }

    func shutdown() {
        root.close()
    }

    deinit {
        root.close()
    }
}

func session(_ ids: [Int]) {
    let app = Application()
    for id in ids {
        do {
            print(try app.serve("user", id))
        } catch {
            print("error", error)
        }
    }
    if ids.count > 2 { app.shutdown() }
}

session([1, 2])
session([1, 7, 2])
session([])
