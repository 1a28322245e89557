// coordinators take their children out by identity; a store's subscriptions are ended by tokens of structs
final class Store {
    struct Token: Hashable { let id: Int }
    private var observers: [Token: (Int) -> Void] = [:]
    private var next = 0
    private(set) var value = 0
    func observe(_ body: @escaping (Int) -> Void) -> Token {
        next += 1
        let token = Token(id: next)
        observers[token] = body
        return token
    }
    func ignore(_ token: Token) { observers.removeValue(forKey: token) }
    func set(_ value: Int) {
        self.value = value
        observers.values.forEach { $0(value) }
    }
}
class Coordinator {
    private(set) var children: [Coordinator] = []
    var finish: ((Coordinator) -> Void)?
    func start() {}
    func push(_ child: Coordinator) {
        children.append(child)
        child.finish = { done in self.pop(done) }
        child.start()
    }
    private func pop(_ child: Coordinator) {
        guard let index = children.firstIndex(where: { $0 === child }) else { return }
        children.remove(at: index)
    }
}
final class LoginCoordinator: Coordinator {
    private let model: LoginModel
    init(store: Store) { model = LoginModel(store: store) }
    override func start() {
        model.submitted = { [unowned self] in
            self.model.end()
            self.finish?(self)
        }
        model.begin()
    }
    func submit() { model.submit() }
}
final class LoginModel {
    private let store: Store
    private var token: Store.Token?
    private(set) var seen: Int?
    var submitted: (() -> Void)?
    init(store: Store) { self.store = store }
    func begin() { token = store.observe { self.seen = $0 } }
    func submit() { submitted?() }
    func end() {
        if let token { store.ignore(token) }
        token = nil
    }
}
final class AppCoordinator: Coordinator {
    private let store = Store()
    private var current: LoginCoordinator?
    override func start() {
        let login = LoginCoordinator(store: store)
        current = login
        push(login)
        store.set(7)
    }
    func finishLogin() {
        current?.submit()
        current = nil
    }
}
let app = AppCoordinator()
app.start()
app.finishLogin()
print(app.children.count)
