import Foundation

// tokens in bags, cancellables that end in deinit, a screen that is not part of the circle
final class Cancellable {
    private var body: (() -> Void)?
    init(_ body: @escaping () -> Void) { self.body = body }
    func cancel() {
        body?()
        body = nil
    }
    deinit { cancel() }
}
final class Subject<Value> {
    private var sinks: [UUID: (Value) -> Void] = [:]
    func sink(_ body: @escaping (Value) -> Void) -> Cancellable {
        let id = UUID()
        sinks[id] = body
        return Cancellable { self.sinks[id] = nil }
    }
    func send(_ value: Value) { sinks.values.forEach { $0(value) } }
}
final class SearchModel {
    private let query = Subject<String>()
    private var bag: [Cancellable] = []
    private(set) var results: [String] = []
    func activate() {
        bag.append(query.sink { text in self.results.append(text) })
        bag.append(query.sink { _ in self.trim() })
    }
    func search(_ text: String) { query.send(text) }
    func deactivate() {
        while let next = bag.popLast() { next.cancel() }
    }
    private func trim() { if results.count > 5 { results.removeFirst() } }
}
final class SearchScreen {
    private let model: SearchModel
    init(model: SearchModel) {
        self.model = model
        model.activate()
    }
    deinit { model.deactivate() }
}
final class Alerts {
    private let center = NotificationCenter()
    private var tokens: [NSObjectProtocol] = []
    private var shown = 0
    func watch(_ names: [Notification.Name]) {
        for name in names {
            tokens.append(center.addObserver(forName: name, object: nil, queue: nil) { _ in self.shown += 1 })
        }
    }
    func silence() {
        for token in tokens { center.removeObserver(token) }
        tokens.removeAll()
    }
    func post(_ name: Notification.Name) { center.post(name: name, object: nil) }
}
final class Once {
    private var token: NSObjectProtocol?
    private var count = 0
    func wait() {
        var token: NSObjectProtocol?
        token = NotificationCenter.default.addObserver(forName: .init("go"), object: nil, queue: nil) { _ in
            self.count += 1
            if let token { NotificationCenter.default.removeObserver(token) }
        }
        self.token = token
    }
}
func use() {
    let model = SearchModel()
    let screen = SearchScreen(model: model)
    model.search("a")
    withExtendedLifetime(screen) {}
    let alerts = Alerts()
    alerts.watch([.init("a"), .init("b")])
    alerts.post(.init("a"))
    alerts.silence()
    Once().wait()
    NotificationCenter.default.post(name: .init("go"), object: nil)
}
use()
