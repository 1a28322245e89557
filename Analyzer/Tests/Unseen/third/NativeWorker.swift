import Dispatch
import Foundation

// MARK: - Threads

final class ThreadStart {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
        self.body = body
    }
}

struct NativeThread {
    private var handle = pthread_t()

    init(_ body: @escaping () -> Void) {
        let context = Unmanaged.passRetained(ThreadStart(body))
        let status = pthread_create(&handle, nil, { raw in
            guard let raw else { return nil }
            let start = Unmanaged<ThreadStart>.fromOpaque(raw).takeRetainedValue()
            start.body()
            return nil
        }, context.toOpaque())
        if status != 0 {
            context.release()
            fatalError("pthread_create: \(status)")
        }
    }

    func join() {
        pthread_join(handle, nil)
    }
}

// MARK: - Foreign event loop

typealias LoopCallback = @convention(c) (UnsafeMutableRawPointer, Int32) -> Void
typealias LoopRelease = @convention(c) (UnsafeMutableRawPointer) -> Void

struct ForeignLoop {
    private struct Entry {
        let context: UnsafeMutableRawPointer
        let callback: LoopCallback
        let release: LoopRelease?
    }

    private var entries: [Int32: Entry] = [:]
    private var counter: Int32 = 0

    mutating func add(_ context: UnsafeMutableRawPointer, _ callback: @escaping LoopCallback, _ release: LoopRelease?) -> Int32 {
        counter += 1
        entries[counter] = Entry(context: context, callback: callback, release: release)
        return counter
    }

    mutating func remove(_ id: Int32) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        entry.release?(entry.context)
    }

    func fire(_ event: Int32) {
        for entry in entries.values { entry.callback(entry.context, event) }
    }
}

final class EventLoop {
    fileprivate var raw = ForeignLoop()

    func fire(_ event: Int32) { raw.fire(event) }
}

// MARK: - Watchers

final class Watcher {
    private let loop: EventLoop
    private var id: Int32 = 0
    private(set) var events = 0

    init(loop: EventLoop) {
        self.loop = loop
        let context = Unmanaged.passUnretained(self).toOpaque()
        id = loop.raw.add(context, { raw, _ in
            Unmanaged<Watcher>.fromOpaque(raw).takeUnretainedValue().events += 1
        }, nil)
    }

    deinit {
        loop.raw.remove(id)
    }
}

final class CallbackBox {
    let handler: (Int32) -> Void

    init(_ handler: @escaping (Int32) -> Void) {
        self.handler = handler
    }
}

final class Subscription {
    private let loop: EventLoop
    private let id: Int32

    init(loop: EventLoop, handler: @escaping (Int32) -> Void) {
        self.loop = loop
        let context = Unmanaged.passRetained(CallbackBox(handler)).toOpaque()
        id = loop.raw.add(context, { raw, event in
            Unmanaged<CallbackBox>.fromOpaque(raw).takeUnretainedValue().handler(event)
        }, { raw in
            Unmanaged<CallbackBox>.fromOpaque(raw).release()
        })
    }

    deinit {
        loop.raw.remove(id)
    }
}

// MARK: - Buffers

final class Matrix {
    let rows: Int
    let columns: Int
    private let cells: UnsafeMutableBufferPointer<Double>

    init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        cells = .allocate(capacity: rows * columns)
        cells.initialize(repeating: 0)
    }

    subscript(row: Int, column: Int) -> Double {
        get { cells[row * columns + column] }
        set { cells[row * columns + column] = newValue }
    }

    func sorted() -> [Double] {
        let copy = UnsafeMutablePointer<Double>.allocate(capacity: cells.count)
        defer { copy.deallocate() }
        copy.initialize(from: cells.baseAddress!, count: cells.count)
        qsort(copy, cells.count, MemoryLayout<Double>.stride) { a, b in
            let x = a!.load(as: Double.self), y = b!.load(as: Double.self)
            return x < y ? -1 : (x > y ? 1 : 0)
        }
        return Array(UnsafeBufferPointer(start: copy, count: cells.count))
    }

    deinit {
        cells.deinitialize()
        cells.deallocate()
    }
}

func canonicalPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

func withDuplicatedString<R>(_ text: String, _ body: (UnsafeMutablePointer<CChar>) -> R) -> R? {
    guard let copy = strdup(text) else { return nil }
    defer { free(copy) }
    return body(copy)
}

// MARK: - Worker

final class Worker {
    private let lock = NSLock()
    private var progress = 0
    private var onDone: ((Int) -> Void)?
    private var thread: NativeThread?

    func run(steps: Int, onDone: @escaping (Int) -> Void) {
        self.onDone = onDone
        thread = NativeThread {
            for _ in 0..<steps {
                self.lock.withLock { self.progress += 1 }
            }
            self.complete()
        }
    }

    private func complete() {
        let (callback, value) = lock.withLock { () -> (((Int) -> Void)?, Int) in
            defer { onDone = nil }
            return (onDone, progress)
        }
        callback?(value)
    }

    func wait() {
        thread?.join()
        thread = nil
    }
}

final class Job {
    private let loop = EventLoop()
    private let worker = Worker()
    private var watcher: Watcher?
    private var subscription: Subscription?
    private let matrix = Matrix(rows: 3, columns: 3)
    private var last: Int32 = 0

    func run(_ seed: Int) {
        watcher = Watcher(loop: loop)
        subscription = Subscription(loop: loop) { [weak self] event in self?.last = event }
        for i in 0..<9 { matrix[i / 3, i % 3] = Double((i * seed) % 7) }
        loop.fire(Int32(seed))
        let done = DispatchSemaphore(value: 0)
        worker.run(steps: 1000 * seed) { total in
            self.last += Int32(total % 100)
            done.signal()
        }
        done.wait()
        worker.wait()
        loop.fire(Int32(seed + 1))
        print("job", seed, "events", watcher?.events ?? 0, "last", last, "sorted", matrix.sorted().prefix(3))
    }
}

for seed in 1...3 { Job().run(seed) }
print(canonicalPath("/tmp/../tmp") ?? "-", withDuplicatedString("native") { strlen($0) } ?? 0)
