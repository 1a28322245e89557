import Foundation

// Base class takes closure in its initializer; subclass passes self through super.init? (not possible before init) -> sets after
class Gesture {
    let action: (Gesture) -> Void
    init(action: @escaping (Gesture) -> Void) { self.action = action }
}
final class Tap: Gesture {
    var count = 1
}
class View {
    private(set) var gestures: [Gesture] = []
    private(set) var subviews: [View] = []
    weak var superview: View?
    var onLayout: ((View) -> Void)?
    func addGesture(_ gesture: Gesture) { gestures.append(gesture) }
    func addSubview(_ view: View) { view.superview = self; subviews.append(view) }
    @discardableResult func onLayout(_ body: @escaping (View) -> Void) -> Self { onLayout = body; return self }
}
final class Label: View { var text = "" }
class Controller {
    let view = View()
    private lazy var label: Label = makeLabel()  // suspect: stored-closure
    var taps = 0
    func load() {
        view.addGesture(Tap { _ in self.taps += 1 })  // suspect: stored-closure
        view.addGesture(Tap { [weak self] _ in self?.taps += 1 })  // no-finding: stored-closure
        let tap = Tap { [unowned self] _ in taps += 1 }  // no-finding: stored-closure
        view.addGesture(tap)
        view.addSubview(label)
        label.onLayout { _ in self.taps = 0 }  // suspect: stored-closure
        label.onLayout { view in (view as? Label)?.text = "x" }  // no-finding: stored-closure
    }
    func show() {
        let title = makeTitle()  // no-finding: stored-closure
        title.text = "shown"
    }
    private func makeTitle() -> Label {
        let label = Label()
        label.onLayout = { _ in self.taps += 1 }
        return label
    }
    func showNamed() {
        named = titled(Label(), "a")  // no-finding: stored-closure
    }
    private var named: Label?
    private func titled(_ label: Label, _ text: String) -> Label {
        label.text = text
        return label
    }
    private func makeLabel() -> Label {
        let label = Label()
        label.onLayout = { _ in self.taps += 1 }
        return label
    }
}
// result builder / chain style
struct Row { var title: String; var action: () -> Void }
final class TableModel {
    private var rows: [Row] = []
    private var sections: [[Row]] = []
    var selected = 0
    func build() {
        rows = [Row(title: "a", action: { self.selected = 1 }),  // suspect: stored-closure
                Row(title: "b") { [weak self] in self?.selected = 2 }]  // no-finding: stored-closure
        rows = ["x", "y"].map { name in Row(title: name) { self.selected = 3 } }  // suspect: stored-closure
        rows = ["x", "y"].map { name in Row(title: name + "\(self.selected)") { print(name) } }  // no-finding: stored-closure
        sections.append([Row(title: "c", action: select)])  // suspect: stored-method
        let row = Row(title: "d") { self.selected = 4 }  // suspect: stored-closure
        rows.append(row)
        rows.sort { $0.title < $1.title || self.selected > 0 }  // no-finding: stored-closure
    }
    func select() { selected += 1 }
}
// Optional chaining and didSet
final class Socket {
    var onMessage: ((String) -> Void)?
    var onClose: (() -> Void)?
    func close() { onClose?(); onMessage = nil; onClose = nil }
}
final class Chat {
    var socket: Socket? {
        didSet { socket?.onMessage = { [weak self] in self?.log.append($0) } }  // no-finding: stored-closure
    }
    var other: Socket? {
        didSet { other?.onClose = { self.log = [] } }  // no-finding: stored-closure
    }
    var log: [String] = []
    func leave() { socket?.close() }
}
// Weak-strong dance
final class Loader {
    var completion: ((Int) -> Void)?
    var progress: [(Int) -> Void] = []
    var value = 0
    func load() {
        completion = { [weak self] value in
            guard let self else { return }
            self.value = value
            self.progress.append { step in self.value = step }  // suspect: stored-closure
        }
        progress.append { [weak self] step in  // no-finding: stored-closure
            guard let strong = self else { return }
            strong.value = step
        }
    }
}
// Generic observer with owner
final class Observers<Owner: AnyObject> {
    private weak var owner: Owner?
    private var bodies: [(Owner) -> Void] = []
    init(owner: Owner) { self.owner = owner }
    func add(_ body: @escaping (Owner) -> Void) { bodies.append(body) }
    func fire() { if let owner { bodies.forEach { $0(owner) } } }
}
final class Temperature {
    private lazy var observers = Observers(owner: self)
    var degrees = 0.0
    func watch() {
        observers.add { $0.degrees = 1 }  // no-finding: stored-closure
        observers.add { _ in self.degrees = 2 }  // suspect: stored-closure
    }
}
// Static helper storing closures globally with self
enum Hooks {
    nonisolated(unsafe) static var atExit: [() -> Void] = []
    static func onExit(_ body: @escaping () -> Void) { atExit.append(body) }
}
// Parent/child via protocol
protocol Parent: AnyObject { func childDone() }
final class Child {
    let parent: any Parent  // suspect: back-reference
    init(parent: any Parent) { self.parent = parent }
}
final class Family: Parent {
    private var children: [Child] = []
    func grow() { children.append(Child(parent: self)) }
    func childDone() {}
}
final class Visitor {
    let host: Host  // no-finding: back-reference
    init(host: Host) { self.host = host }
    func visit() {}
}
final class Host {
    func invite() { let visitor = Visitor(host: self); visitor.visit() }
}
// Error carrying self
final class Job {
    private var failures: [any Error] = []
    struct Failure: Error { let job: Job }  // suspect: payload-reference
    func fail() { failures.append(Failure(job: self)) }
}
// AsyncStream continuation
final class Bus {
    private var continuations: [Int: AsyncStream<Int>.Continuation] = [:]
    private var next = 0
    func events() -> AsyncStream<Int> {
        next += 1
        let id = next
        return AsyncStream { continuation in  // no-finding: stored-closure
            self.continuations[id] = continuation
            continuation.onTermination = { [weak self] _ in self?.continuations[id] = nil }  // no-finding: stored-closure
        }
    }
}
// autoclosure, defer, sort comparator stored
final class Sorter {
    private var comparator: (Int, Int) -> Bool = { $0 < $1 }
    private var lines: [String] = []
    var ascending = true
    func set() {
        comparator = { [ascending] in ascending ? $0 < $1 : $0 > $1 }  // no-finding: stored-closure
        comparator = { self.ascending ? $0 < $1 : $0 > $1 }  // suspect: stored-closure
        defer { lines.append("\(self.ascending)") }  // no-finding: stored-closure
    }
}
// Recursive closure local
final class Walker2 {
    var count = 0
    func walk() {
        var step: ((Int) -> Void)?
        step = { n in if n > 0 { self.count += 1; step?(n - 1) } }  // suspect: stored-closure
        step?(3)
    }
    func walkOnce() {
        var step: ((Int) -> Void)?
        step = { n in if n > 0 { self.count += 1; step?(n - 1) } }  // no-finding: stored-closure
        step?(3)
        step = nil
    }
    func walkByFunction() {
        func step(_ n: Int) { if n > 0 { self.count += 1; step(n - 1) } }  // no-finding: stored-closure
        step(3)
    }
    func chain() {
        var body: () -> Void = { self.count += 1 }
        body = { [body] in body(); body() }  // no-finding: stored-closure
        body()
    }
    func wait(_ queue: DispatchQueue) {
        var retry: (() -> Void)!
        retry = { queue.async { retry() } }  // suspect: stored-closure
        retry()
    }
}
// Actor delegates
protocol Sink2: AnyObject, Sendable { func take(_ n: Int) async }
actor Source {
    private var sinks: [any Sink2] = []  // suspect: back-reference
    private weak var main: (any Sink2)?
    func attach(_ sink: any Sink2) { sinks.append(sink) }
    func attachMain(_ sink: any Sink2) { main = sink }
}
actor Plant: Sink2 {
    let source = Source()
    func start() async {
        await source.attachMain(self)  // no-finding: back-reference
    }
    func grow() async {
        await source.attach(self)
    }
    func take(_ n: Int) {}
}
