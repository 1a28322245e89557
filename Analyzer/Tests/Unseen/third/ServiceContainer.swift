import Foundation

// MARK: - Container

enum Lifetime {
    case transient
    case singleton
}

final class Container {
    private struct Registration {
        let lifetime: Lifetime
        let build: (Container) -> Any
    }

    private var registrations: [ObjectIdentifier: Registration] = [:]
    private var singletons: [ObjectIdentifier: Any] = [:]
    private var warmups: [() -> Void] = []

    func register<T>(_ type: T.Type, lifetime: Lifetime = .transient, _ build: @escaping (Container) -> T) {
        registrations[ObjectIdentifier(type)] = Registration(lifetime: lifetime, build: { build($0) })
    }

    func onWarmup(_ action: @escaping () -> Void) {
        warmups.append(action)
    }

    func warmup() {
        for action in warmups { action() }
    }

    func resolve<T>(_ type: T.Type = T.self) -> T {
        let key = ObjectIdentifier(type)
        if let existing = singletons[key] as? T { return existing }
        guard let registration = registrations[key], let made = registration.build(self) as? T else {
            fatalError("nothing registered for \(type)")
        }
        if registration.lifetime == .singleton { singletons[key] = made }
        return made
    }
}

@propertyWrapper
struct Injected<T> {
    let wrappedValue: T

    init(from container: Container) {
        wrappedValue = container.resolve(T.self)
    }
}

// MARK: - Services

protocol UserStore: AnyObject {
    func name(for id: Int) -> String
}

final class InMemoryUserStore: UserStore {
    private let names = [1: "ada", 2: "grace", 3: "edsger"]

    func name(for id: Int) -> String { names[id] ?? "unknown" }
}

final class Mailer {
    private let store: UserStore
    private(set) var sent = 0

    init(store: UserStore) {
        self.store = store
    }

    func send(to id: Int, _ body: String) {
        sent += 1
        print("mail to", store.name(for: id), body.count, "bytes")
    }
}

protocol AuditSink {
    func record(_ action: String)
}

final class AuditService: AuditSink {
    private let services: Container
    private var records = 0

    init(services: Container) {
        self.services = services
    }

    func record(_ action: String) {
        records += 1
        if records % 2 == 0 {
            services.resolve(Mailer.self).send(to: 1, "audit: \(action)")
        }
    }
}

final class ReportBuilder {
    private let services: Container

    init(services: Container) {
        self.services = services
    }

    func report() -> String {
        "mails: \(services.resolve(Mailer.self).sent)"
    }
}

final class FeatureFlags {
    private unowned let services: Container
    private var enabled: Set<String> = []

    init(services: Container) {
        self.services = services
    }

    func enable(_ name: String) {
        enabled.insert(name)
        if name == "welcome" { services.resolve(Mailer.self).send(to: 2, "flag") }
    }

    func disable(_ name: String) { enabled.remove(name) }

    func isOn(_ name: String) -> Bool { enabled.contains(name) }
}

final class SignupController {
    @Injected private var store: UserStore
    @Injected private var mailer: Mailer
    private let audit: AuditSink

    init(container: Container) {
        _store = Injected(from: container)
        _mailer = Injected(from: container)
        audit = container.resolve(AuditSink.self)
    }

    func signup(_ id: Int) {
        mailer.send(to: id, "welcome, \(store.name(for: id))")
        audit.record("signup \(id)")
    }
}

// MARK: - Composition

struct CoreModule {
    func install(into container: Container) {
        container.register(UserStore.self, lifetime: .singleton) { _ in InMemoryUserStore() }
        container.register(Mailer.self, lifetime: .singleton) { c in Mailer(store: c.resolve(UserStore.self)) }
        container.register(AuditSink.self, lifetime: .singleton) { c in AuditService(services: c) }
        container.register(FeatureFlags.self, lifetime: .singleton) { c in FeatureFlags(services: c) }
        container.register(ReportBuilder.self) { c in ReportBuilder(services: c) }
    }
}

struct WarmupModule {
    let preloadUsers: [Int]

    func install(into container: Container) {
        container.onWarmup { [weak container] in
            container?.resolve(FeatureFlags.self).enable("welcome")
        }
        let ids = preloadUsers
        container.onWarmup {
            let store = container.resolve(UserStore.self)
            print("preloaded", ids.map { store.name(for: $0) })
        }
    }
}

func handleTenant(_ tenant: Int) {
    let container = Container()
    CoreModule().install(into: container)
    WarmupModule(preloadUsers: [1, 2]).install(into: container)
    container.warmup()

    let controller = SignupController(container: container)
    controller.signup(tenant)
    controller.signup(tenant + 1)
    let report: ReportBuilder = container.resolve()
    print("tenant", tenant, report.report(), container.resolve(FeatureFlags.self).isOn("welcome"))
}

for tenant in 1...3 { handleTenant(tenant) }
