import Foundation
import Synchronization

struct SessionToken: Hashable, Sendable {
    let raw: String

    static func random() -> SessionToken {
        SessionToken(raw: UUID().uuidString)
    }
}

struct Principal: Sendable, Codable {
    let user: String
    var scopes: Set<String>
}

struct Session: Sendable {
    let principal: Principal
    let startedAt: Date
    var requests = 0
}

enum GatewayError: Error {
    case badCredentials, replayed, expired, throttled
}

struct LoginRequest: Sendable {
    let user: String
    let password: String
    let nonce: String
}

enum NonceGuard {
    private static let seen = Mutex<Set<String>>([])

    static func accept(_ nonce: String) throws(GatewayError) {
        let isNew = seen.withLock { $0.insert(nonce).inserted }
        guard isNew else { throw .replayed }
    }
}

actor SessionStore {
    static let shared = SessionStore()

    private var sessions: [SessionToken: Session] = [:]
    private var failures: [String: Int] = [:]
    private var recent: [String] = []

    func begin(_ principal: Principal) -> SessionToken {
        let token = SessionToken.random()
        sessions[token] = Session(principal: principal, startedAt: Date())
        failures[principal.user] = nil
        recent.append(principal.user)
        recent = recent.suffix(20)
        return token
    }

    func touch(_ token: SessionToken) throws -> Principal {
        guard var session = sessions[token] else { throw GatewayError.expired }
        session.requests += 1
        sessions[token] = session
        return session.principal
    }

    func failed(_ user: String) throws {
        guard failures.count < 10_000 || failures[user] != nil else { throw GatewayError.throttled }
        failures[user, default: 0] += 1
    }

    var lately: [String] { recent }
}

struct UserDirectory: Sendable {
    private let passwords: [String: String]
    private let admins: Set<String>

    init(passwords: [String: String], admins: Set<String>) {
        self.passwords = passwords
        self.admins = admins
    }

    func verify(_ request: LoginRequest) -> Principal? {
        guard passwords[request.user] == request.password else { return nil }
        var scopes: Set = ["read"]
        if admins.contains(request.user) { scopes.insert("admin") }
        return Principal(user: request.user, scopes: scopes)
    }
}

struct Gateway: Sendable {
    typealias Endpoint = @Sendable (Principal) async throws -> String

    let directory: UserDirectory
    private var endpoints: [String: Endpoint] = [:]

    init(directory: UserDirectory) {
        self.directory = directory
    }

    mutating func on(_ path: String, _ endpoint: @escaping Endpoint) {
        endpoints[path] = endpoint
    }

    func login(_ request: LoginRequest) async throws -> SessionToken {
        try NonceGuard.accept(request.nonce)
        guard let principal = directory.verify(request) else {
            try await SessionStore.shared.failed(request.user)
            throw GatewayError.badCredentials
        }
        return await SessionStore.shared.begin(principal)
    }

    func call(_ path: String, _ token: SessionToken) async throws -> String {
        let principal = try await SessionStore.shared.touch(token)
        return try await endpoints[path]?(principal) ?? "404"
    }
}

func serveLogins(_ count: Int) async throws {
    var gateway = Gateway(directory: UserDirectory(passwords: ["ada": "x1", "bob": "y2"], admins: ["ada"]))
    gateway.on("/me") { "\($0.user) \($0.scopes.sorted())" }
    gateway.on("/stats") { principal in
        guard principal.scopes.contains("admin") else { return "403" }
        return await SessionStore.shared.lately.joined(separator: ",")
    }
    for index in 0..<count {
        let user = index.isMultiple(of: 3) ? "bob" : "ada"
        let request = LoginRequest(user: user, password: user == "ada" ? "x1" : "y2", nonce: UUID().uuidString)
        let token = try await gateway.login(request)
        _ = try await gateway.call("/me", token)
        if index == count - 1 { print(try await gateway.call("/stats", token)) }
    }
    do {
        _ = try await gateway.login(LoginRequest(user: "eve", password: "", nonce: "n-\(count)"))
    } catch GatewayError.badCredentials {
        print("rejected")
    }
}

try await serveLogins(5)
