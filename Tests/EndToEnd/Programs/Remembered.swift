// Sound programs with large or growing heaps, observers, timers, caches: what lives is wanted.
import Dispatch
import Foundation

@main enum Program {
    static func main() { run(cases) }
}

let screenCount = 60

final class Picture {
    var bytes: [UInt8]
    init(_ number: Int) { bytes = [UInt8](repeating: UInt8(number & 255), count: 4_000) }
}

extension Notification.Name {
    static let themeChanged = Notification.Name("themeChanged")
}

/// Builds a tree and looks at it.
final class Tree {
    var children: [Tree] = []
    var name: String
    init(depth: Int) {
        name = "a node of the tree with a name that is long enough, depth \(depth)"
        if depth > 0 { children = (0..<4).map { _ in Tree(depth: depth - 1) } }
    }
    func count() -> Int { children.reduce(1) { $0 + $1.count() } }
}
nonisolated(unsafe) var tree: Tree?
@inline(never) func builtTree() {
    tree = Tree(depth: 6)
    touch(tree!.count())
}

/// Reads a table into a list of records.
struct Record {
    var name: String
    var values: [Double]
    var picture: Picture
}
nonisolated(unsafe) var table: [String: Record] = [:]
@inline(never) func loadedTable() {
    let text = (0..<60).map { "a record with a long name, number \($0);\($0);\($0 * 2);\($0 * 3)" }.joined(
        separator: "\n")
    for (number, line) in text.split(separator: "\n").enumerated() {
        let words = line.split(separator: ";")
        table[String(words[0])] = Record(
            name: String(words[0]), values: words.dropFirst().map { Double($0)! }, picture: Picture(number))
    }
    touch(table.count)
}

/// A catalogue behind a singleton that is filled once and asked often.
final class Catalogue {
    nonisolated(unsafe) static let shared = Catalogue()
    private var items: [String: Picture] = [:]
    func load() { for number in 0..<screenCount { items["item number \(number) of the catalogue"] = Picture(number) } }
    func find(_ number: Int) -> Picture? { items["item number \(number) of the catalogue"] }
}
@inline(never) func filledOnce() {
    Catalogue.shared.load()
    var found = 0
    for round in 0..<40 {
        for number in 0..<screenCount { found += Catalogue.shared.find(number + round) == nil ? 0 : 1 }
    }
    touch(found)
}

/// A cache that throws the oldest away.
final class BoundedCache {
    nonisolated(unsafe) static let shared = BoundedCache()
    private var pictures: [Int: Picture] = [:]
    private var order: [Int] = []
    func picture(_ number: Int) -> Picture {
        if let known = pictures[number] { return known }
        let made = Picture(number)
        pictures[number] = made
        order.append(number)
        if order.count > 20 { pictures[order.removeFirst()] = nil }
        return made
    }
}
@inline(never) func boundedCache() {
    for number in 0..<(10 * screenCount) { touch(BoundedCache.shared.picture(number).bytes.count) }
}

/// Removes its observer when it closes.
final class Screen {
    var picture: Picture
    var token: NSObjectProtocol?
    var shown = 0
    init(_ number: Int) { picture = Picture(number) }
    func open() {
        token = NotificationCenter.default.addObserver(forName: .themeChanged, object: nil, queue: nil) { _ in
            self.shown += 1
        }
    }
    func close() {
        if let token { NotificationCenter.default.removeObserver(token) }
        token = nil
    }
}
@inline(never) func removedObserver() {
    for number in 0..<screenCount {
        let screen = Screen(number)
        screen.open()
        NotificationCenter.default.post(name: .themeChanged, object: nil)
        screen.close()
    }
}

/// Its block captures it weakly: what stays is the observer.
final class WeakScreen {
    var picture: Picture
    var shown = 0
    init(_ number: Int) {
        picture = Picture(number)
        _ = NotificationCenter.default.addObserver(forName: .themeChanged, object: nil, queue: nil) { [weak self] _ in
            self?.shown += 1
        }
    }
}
@inline(never) func weakObserver() { for number in 0..<screenCount { touch(WeakScreen(number)) } }

/// Screens that a window shows, each with an observer.
final class Window {
    var screens: [Screen] = []
}
nonisolated(unsafe) var window = Window()
@inline(never) func openScreens() {
    for number in 0..<screenCount {
        let screen = Screen(number)
        screen.open()
        window.screens.append(screen)
    }
}

/// One service that lives as long as the program, by its own timer.
final class Service {
    var timer: Timer?
    var ticks = 0
    func start() {
        timer = Timer.scheduledTimer(withTimeInterval: 3_600, repeats: true) { [weak self] _ in self?.ticks += 1 }
    }
}
nonisolated(unsafe) let service = Service()
@inline(never) func oneService() {
    service.start()
    RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
}

/// A bus whose subscribers are modules that the program keeps.
final class Bus {
    nonisolated(unsafe) static let shared = Bus()
    private var handlers: [(Int) -> Void] = []
    func subscribe(_ handler: @escaping (Int) -> Void) { handlers.append(handler) }
    func publish(_ value: Int) { for handler in handlers { handler(value) } }
}
final class Module {
    var picture: Picture
    var seen = 0
    init(_ number: Int) {
        picture = Picture(number)
        Bus.shared.subscribe { self.seen += $0 }
    }
}
/// Modules that the bus alone keeps, all made at the start.
@inline(never) func startedModules() {
    for number in 0..<8 { touch(Module(number)) }
    for round in 0..<200 {
        Bus.shared.publish(round)
        touch((0..<10).map { "a word that is made and thrown away, number \($0) of round \(round)" })
    }
}
nonisolated(unsafe) var modules: [Module] = []
@inline(never) func keptModules() {
    for number in 0..<screenCount { modules.append(Module(number)) }
    Bus.shared.publish(1)
}

/// Requests that wait for their answer in a queue.
final class Request: @unchecked Sendable {
    var picture: Picture
    init(_ number: Int) { picture = Picture(number) }
}
nonisolated(unsafe) let queue = DispatchQueue(label: "work")
@inline(never) func pendingWork() {
    for number in 0..<screenCount {
        let request = Request(number)
        queue.asyncAfter(deadline: .now() + 3_600) { touch(request.picture.bytes.count) }
    }
}

/// Cancelled work that its owner still has, and work that may still be done.
@inline(never) func keptItems() {
    for number in 0..<screenCount {
        let (cancelled, pending) = (Request(number), Request(number))
        let items = [cancelled, pending].map { request in DispatchWorkItem { touch(request.picture.bytes.count) } }
        for item in items { queue.asyncAfter(deadline: .now() + 3_600, execute: item) }
        items[0].cancel()
        keptWork.append(items[0])
    }
}
nonisolated(unsafe) var keptWork: [DispatchWorkItem] = []

/// Workers that all end.
@inline(never) func finishedTasks() {
    let group = DispatchGroup()
    for number in 0..<screenCount {
        group.enter()
        Task.detached {
            let request = Request(number)
            try? await Task.sleep(for: .milliseconds(1))
            touch(request.picture.bytes.count)
            group.leave()
        }
    }
    group.wait()
    waitForRest()
}

/// A history with an end, a linked list, and a graph with many ways.
final class Move {
    var before: Move?
    var picture: Picture
    init(_ number: Int, _ before: Move?) {
        picture = Picture(number)
        self.before = before
    }
}
nonisolated(unsafe) var history: Move?
@inline(never) func linkedHistory() { for number in 0..<screenCount { history = Move(number, history) } }

/// Closures that a game keeps as its rules, each with what it works on.
final class Rules {
    var checks: [() -> Int] = []
}
nonisolated(unsafe) let rules = Rules()
@inline(never) func closuresOfRules() {
    for number in 0..<screenCount {
        let picture = Picture(number)
        rules.checks.append { picture.bytes.count }
    }
    touch(rules.checks.reduce(0) { $0 + $1() })
}

let cases: Cases = [
    "built-tree": builtTree, "loaded-table": loadedTable, "filled-once": filledOnce, "bounded-cache": boundedCache,
    "removed-observer": removedObserver, "weak-observer": weakObserver, "open-screens": openScreens,
    "one-service": oneService, "started-modules": startedModules, "kept-modules": keptModules,
    "pending-work": pendingWork, "kept-items": keptItems, "finished-tasks": finishedTasks,
    "linked-history": linkedHistory, "closures-of-rules": closuresOfRules,
]
