// continuations whose onTermination holds the hub: finish() lets it go; the pump ends with its stream
final class Hub {
    private var listeners: [Int: AsyncStream<Int>.Continuation] = [:]
    private var next = 0
    private var pump: Task<Void, Never>?
    private var buffer: [Int] = []
    func values() -> AsyncStream<Int> {
        let id = next
        next += 1
        return AsyncStream { continuation in
            listeners[id] = continuation
            continuation.onTermination = { _ in self.drop(id) }
        }
    }
    func start(_ source: AsyncStream<Int>) {
        pump = Task {
            for await value in source { self.publish(value) }
            self.finish()
        }
    }
    func publish(_ value: Int) {
        buffer.append(value)
        if buffer.count > 16 { buffer.removeFirst() }
        for listener in listeners.values { listener.yield(value) }
    }
    private func drop(_ id: Int) { listeners[id] = nil }
    func finish() {
        for listener in listeners.values { listener.finish() }
        listeners.removeAll()
        pump = nil
    }
    func join() async { await pump?.value }
}
actor Gate {
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false
    private var opener: Task<Void, Never>?
    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiters.append($0) }
    }
    func openLater() {
        opener = Task {
            await Task.yield()
            self.open()
        }
    }
    private func open() {
        isOpen = true
        let released = waiters
        waiters.removeAll()
        released.forEach { $0.resume() }
    }
}
final class Meter {
    private var task: Task<Void, Never>?
    private var sum = 0
    func run(on hub: Hub) {
        task = Task { [values = hub.values()] in
            for await value in values {
                self.sum += value
                if value < 0 { return }
            }
        }
    }
    func stop() { task?.cancel() }
    func total() async -> Int {
        await task?.value
        return sum
    }
}
let (source, input) = AsyncStream<Int>.makeStream()
let hub = Hub()
let meter = Meter()
let gate = Gate()
meter.run(on: hub)
hub.start(source)
(1...5).forEach { input.yield($0) }
input.finish()
await hub.join()
await gate.openLater()
await gate.pass()
print(await meter.total())
