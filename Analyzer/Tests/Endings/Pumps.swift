// tasks that wait for the next thing: lost where there always is one, not where nil ends them
actor Mailbox {
    private var messages: [Int] = []
    private var waiter: CheckedContinuation<Int?, Never>?
    func next() async -> Int? {
        if !messages.isEmpty { return messages.removeFirst() }
        return await withCheckedContinuation { waiter = $0 }
    }
    func post(_ message: Int) {
        guard let waiter else { return messages.append(message) }
        self.waiter = nil
        waiter.resume(returning: message)
    }
}
actor ClosableMailbox {
    private var messages: [Int] = []
    private var waiter: CheckedContinuation<Int?, Never>?
    func next() async -> Int? {
        if !messages.isEmpty { return messages.removeFirst() }
        return await withCheckedContinuation { waiter = $0 }
    }
    func close() { waiter?.resume(returning: nil) }
}
final class Reader: @unchecked Sendable {
    private let mailbox = Mailbox()
    private var task: Task<Void, Never>?
    private var sum = 0
    func start() {
        task = Task {  // leak
            while let message = await self.mailbox.next() { self.sum += message }
        }
    }
    func post(_ message: Int) async { await mailbox.post(message) }
}
final class ClosableReader: @unchecked Sendable {
    private let mailbox = ClosableMailbox()
    private var task: Task<Void, Never>?
    private var sum = 0
    func start() {
        task = Task {
            while let message = await self.mailbox.next() { self.sum += message }
        }
    }
    func close() async { await mailbox.close() }
}
final class Worker: @unchecked Sendable {
    private var jobs: [Int] = []
    private var task: Task<Void, Never>?
    private var done = 0
    func start() {
        task = Task {  // leak
            while let job = await self.next() { self.done += job }
        }
    }
    private func next() async -> Int? {
        while true {
            if let job = jobs.popLast() { return job }
            await Task.yield()
        }
    }
    deinit { task?.cancel() }
}
final class Batch: @unchecked Sendable {
    private var jobs = [1, 2, 3]
    private var task: Task<Void, Never>?
    private var done = 0
    func start() {
        task = Task {
            while let job = await self.next() { self.done += job }
        }
    }
    private func next() async -> Int? {
        while !jobs.isEmpty {
            if let job = jobs.popLast() { return job }
            await Task.yield()
        }
        return nil
    }
}
func run() async {
    let reader = Reader()
    reader.start()
    await reader.post(1)
    let closable = ClosableReader()
    closable.start()
    await closable.close()
    Worker().start()
    Batch().start()
}
await run()
