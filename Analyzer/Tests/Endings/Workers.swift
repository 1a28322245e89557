import Foundation

// tasks and threads that loop until a flag, a channel or their own object says so
final class Worker: @unchecked Sendable {
    private var isStopped = false
    private var thread: Thread?
    private var jobs: [() -> Void] = []
    private let condition = NSCondition()
    func start() {
        thread = Thread { self.work() }
        thread?.start()
    }
    private func work() {
        while true {
            condition.lock()
            while jobs.isEmpty && !isStopped { condition.wait() }
            if isStopped && jobs.isEmpty {
                condition.unlock()
                break
            }
            let job = jobs.removeFirst()
            condition.unlock()
            job()
        }
        thread = nil
    }
    func submit(_ job: @escaping () -> Void) {
        condition.lock()
        jobs.append(job)
        condition.signal()
        condition.unlock()
    }
    func shutDown() {
        condition.lock()
        isStopped = true
        condition.broadcast()
        condition.unlock()
    }
}
actor Beat {
    private var task: Task<Void, Never>?
    private var beats = 0
    private var isRunning = true
    func start() {
        task = Task {
            while self.isRunning { await self.step() }
        }
    }
    private func step() async {
        beats += 1
        if beats == 3 { halt() }
        await Task.yield()
    }
    private func halt() { isRunning = false }
    func join() async { await task?.value }
}
final class Monitor {
    private var tasks: [Task<Void, Never>] = []
    private var samples = 0
    func watch(_ count: Int) {
        for _ in 0..<count {
            tasks.append(
                Task {
                    while !Task.isCancelled {
                        self.samples += 1
                        await Task.yield()
                    }
                })
        }
    }
    func stop() { tasks.forEach { $0.cancel() } }
}
final class Session {
    private var watcher: Task<Void, Never>?
    private var polls = 0
    func open() {
        let watcher = Task {
            while !Task.isCancelled {
                self.polls += 1
                await Task.yield()
            }
        }
        self.watcher = watcher
        Janitor.shared.adopt(watcher)
    }
}
final class Janitor {
    nonisolated(unsafe) static let shared = Janitor()
    private var adopted: [Task<Void, Never>] = []
    func adopt(_ task: Task<Void, Never>) { adopted.append(task) }
    func sweep() {
        adopted.forEach { $0.cancel() }
        adopted = []
    }
}
let worker = Worker()
worker.start()
worker.submit { print("job") }
worker.shutDown()
let beat = Beat()
await beat.start()
await beat.join()
let monitor = Monitor()
monitor.watch(2)
monitor.stop()
let session = Session()
session.open()
Janitor.shared.sweep()
