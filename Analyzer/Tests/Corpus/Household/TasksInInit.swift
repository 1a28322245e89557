import Foundation

final class Feed {
    private var task: Task<Void, Never>?
    private var worker: Task<Void, Never>!
    private var items: [Int] = []
    private let stream: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
        task = Task { [stream] in  // suspect: endless-task
            for await item in stream { self.items.append(item) }
        }
        worker = Task { [weak self] in  // no-finding: endless-task
            while !Task.isCancelled {
                self?.items.removeAll()
                try? await Task.sleep(nanoseconds: 1_000_000)
            }
        }
    }

    func load() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.step() }  // no-finding: endless-task
        }
        Task { await step() }  // no-finding: endless-task
    }

    func step() async {}

    deinit { task?.cancel(); worker.cancel() }
}

final class Poller {
    private var tasks: [Task<Void, Never>] = []
    private var polls = 0

    func start() {
        tasks.append(Task {  // suspect: endless-task
            while true {
                polls += 1
                try? await Task.sleep(nanoseconds: 10)
            }
        })
        tasks.append(Task {  // no-finding: endless-task
            for _ in 0..<3 { polls += 1 }
        })
        tasks.append(Task { await loop() })  // suspect: endless-task
    }

    private func loop() async {
        repeat {
            polls += 1
            await Task.yield()
        } while true
    }
}

actor Meter {
    private var readings: [Double] = []
    private var ticker: Task<Void, Never>?
    private var handlers: [String: @Sendable (Double) -> Void] = [:]
    private var last = 0.0

    func start() {
        ticker = Task {  // suspect: endless-task
            while !Task.isCancelled {
                self.read()
                try? await Task.sleep(nanoseconds: 10)
            }
        }
    }

    func hook() {
        handlers["self"] = { value in Task { await self.take(value) } }  // suspect: stored-closure
        handlers["weak"] = { [weak self] value in Task { await self?.take(value) } }  // no-finding: stored-closure
    }

    private func read() { readings.append(1); if readings.count > 10 { readings.removeFirst() } }
    private func take(_ value: Double) { last = value }
}
