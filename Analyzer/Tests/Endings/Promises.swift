import Foundation

// promises drop their callbacks when they settle; chains hold the one behind until then
final class Promise<Value> {
    private enum State {
        case waiting([(Value) -> Void])
        case done(Value)
    }
    private var state = State.waiting([])
    private let lock = NSLock()
    func then(_ body: @escaping (Value) -> Void) {
        lock.lock()
        switch state {
        case .waiting(let bodies):
            state = .waiting(bodies + [body])
            lock.unlock()
        case .done(let value):
            lock.unlock()
            body(value)
        }
    }
    func fulfil(_ value: Value) {
        lock.lock()
        guard case .waiting(let bodies) = state else { return lock.unlock() }
        state = .done(value)
        lock.unlock()
        bodies.forEach { $0(value) }
    }
    func map<Other>(_ change: @escaping (Value) -> Other) -> Promise<Other> {
        let next = Promise<Other>()
        then { next.fulfil(change($0)) }
        return next
    }
}
final class Loader {
    private let page = Promise<String>()
    private var length = 0
    private var onReady: [(Int) -> Void] = []
    private var finally: (() -> Void)?
    func load() {
        page.then { text in
            self.length = text.count
            self.notify()
        }
        finally = { self.length = -self.length }
    }
    func arrive(_ text: String) { page.fulfil(text) }
    func ready(_ body: @escaping (Int) -> Void) { onReady.append(body) }
    private func notify() {
        var pending: [(Int) -> Void] = []
        swap(&pending, &onReady)
        pending.forEach { $0(length) }
        var last: (() -> Void)?
        (last, finally) = (finally, nil)
        last?()
    }
}
final class Reader {
    private let loader: Loader
    private(set) var total = 0
    init(_ loader: Loader) {
        self.loader = loader
        loader.ready { count in self.total += count }
    }
}
let loader = Loader()
let reader = Reader(loader)
loader.load()
loader.arrive("a page of text")
print(reader.total)
