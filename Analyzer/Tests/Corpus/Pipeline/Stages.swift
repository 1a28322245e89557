import Foundation

/// A stage calls the next one.
final class Stage<Input, Output> {
    private let transform: (Input) -> Output
    private var listeners: [(Output) -> Void] = []

    init(_ transform: @escaping (Input) -> Output) {
        self.transform = transform
    }

    func subscribe(_ listener: @escaping (Output) -> Void) {
        listeners.append(listener)
    }

    func push(_ input: Input) {
        let output = transform(input)
        for listener in listeners { listener(output) }
    }
}

final class Pipeline {
    private let parse = Stage<String, Int> { Int($0) ?? 0 }  // no-finding: stored-closure
    private var square: Stage<Int, Int>?
    private var total = 0
    private var finished: [Int] = []
    private var jobs: [Job] = []
    private var hooks = Hooks()
    private var cell: Cell = .empty
    private var pending: (name: String, run: () -> Void)?
    private var counters: [String: Int] = [:]

    func build() {
        square = Stage { value in  // suspect: stored-closure
            self.total += value
            return value * value
        }
        parse.subscribe { value in  // suspect: stored-closure
            self.square?.push(value)
        }
        square?.subscribe { [weak self] value in  // no-finding: stored-closure
            self?.finished.append(value)
        }
        jobs.append(Job(name: "flush", run: { self.finished.removeAll() }))  // suspect: stored-closure
        jobs.append(Job(name: "log", run: { print("log") }))  // no-finding: stored-closure
        hooks.before = { self.total = 0 }  // suspect: stored-closure
        hooks.after = { [unowned self] in self.total = 0 }  // no-finding: stored-closure
        cell = .lazily { self.total }  // suspect: stored-closure
        pending = (name: "sum", run: { self.total += 1 })  // suspect: stored-closure
        cell = .value(total)  // no-finding: stored-closure
    }

    func count(_ words: [String]) {
        words.forEach { counters[$0, default: 0] += 1 }  // no-finding: stored-closure
    }
}

struct Job {
    let name: String
    let run: () -> Void
}

struct Hooks {
    var before: (() -> Void)?
    var after: (() -> Void)?
}

enum Cell {
    case empty
    case value(Int)
    case lazily(() -> Int)
}

/// Keeps blocks until they are done.
final class BlockQueue {
    private var blocks: [() -> Void] = []
    private let lock = NSLock()

    func add(_ block: @escaping () -> Void) {
        lock.withLock { blocks.append(block) }
    }

    func drain() {
        let ready = lock.withLock {
            defer { blocks.removeAll() }
            return blocks
        }
        ready.forEach { $0() }
    }
}

/// Uses a queue that empties itself: what it gives goes away by itself.
final class Producer {
    private let queue = BlockQueue()
    private var made = 0

    func make() {
        queue.add { self.made += 1 }  // no-finding: stored-closure
        queue.drain()
    }
}
