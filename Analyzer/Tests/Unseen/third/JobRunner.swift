import Dispatch
import Foundation

// Background jobs with dependencies, retries and results, driven by one serial queue.

enum Outcome {
    case success(String)
    case failure(String)

    var text: String {
        switch self {
        case .success(let value): value
        case .failure(let reason): "failed: \(reason)"
        }
    }
}

protocol Work {
    var label: String { get }
    func perform(attempt: Int) -> Outcome
}

struct RenderThumbnails: Work {
    let level: Int
    var label: String { "thumbnails \(level)" }
    func perform(attempt: Int) -> Outcome { .success("\(level * 12) pictures") }
}

struct SendMail: Work {
    let address: String
    var label: String { "mail to \(address)" }
    func perform(attempt: Int) -> Outcome {
        attempt < 2 ? .failure("busy") : .success("sent at attempt \(attempt)")
    }
}

struct CloseSeason: Work {
    var label: String { "close season" }
    func perform(attempt: Int) -> Outcome { .failure("season is open") }
}

final class Job: @unchecked Sendable {
    let id: Int
    let work: any Work
    let needs: [Job]
    var onFinish: ((Outcome) -> Void)?
    var onProgress: ((Int) -> Void)?
    fileprivate(set) var outcome: Outcome?
    fileprivate(set) var attempts = 0
    private var dependents: [WeakJob] = []

    private struct WeakJob {
        weak var job: Job?
    }

    init(id: Int, work: any Work, needs: [Job]) {
        self.id = id
        self.work = work
        self.needs = needs
        for job in needs {
            job.dependents.append(WeakJob(job: self))
        }
    }

    var isReady: Bool {
        needs.allSatisfy { if case .success = $0.outcome { true } else { false } }
    }

    var isHopeless: Bool {
        needs.contains { if case .failure = $0.outcome { true } else { false } }
    }

    var waiting: [Job] { dependents.compactMap(\.job) }

    fileprivate func finish(_ result: Outcome) {
        outcome = result
        onFinish?(result)
        onProgress = nil
    }
}

final class ResultBook: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [Int: String] = [:]
    private var order: [Int] = []
    private let limit = 8

    func note(_ id: Int, _ text: String) {
        lock.withLock {
            if results.updateValue(text, forKey: id) == nil { order.append(id) }
            while order.count > limit {
                results[order.removeFirst()] = nil
            }
        }
    }

    var text: String {
        lock.withLock { order.map { "\($0) \(results[$0] ?? "")" }.joined(separator: "; ") }
    }
}

final class Runner: @unchecked Sendable {
    private let queue = DispatchQueue(label: "job.runner")
    private let group = DispatchGroup()
    private var waiting: [Int: Job] = [:]
    private var hooks: [(Job) -> Void] = []
    private let maximumAttempts: Int

    init(maximumAttempts: Int) {
        self.maximumAttempts = maximumAttempts
    }

    func addHook(_ hook: @escaping (Job) -> Void) {
        queue.sync { hooks.append(hook) }
    }

    func submit(_ job: Job) {
        group.enter()
        queue.async {
            if job.isReady {
                self.run(job)
            } else if job.isHopeless {
                job.finish(.failure("a needed job has failed"))
                self.group.leave()
            } else {
                self.waiting[job.id] = job
            }
        }
    }

    func waitForAll() {
        group.wait()
        queue.sync {
            waiting.removeAll()
            hooks.removeAll()
        }
    }

    private func run(_ job: Job) {
        job.attempts += 1
        job.onProgress?(job.attempts)
        let outcome = job.work.perform(attempt: job.attempts)
        if case .failure = outcome, job.attempts < maximumAttempts {
            queue.asyncAfter(deadline: .now() + 0.005) {
                self.run(job)
            }
            return
        }
        job.finish(outcome)
        hooks.forEach { $0(job) }
        for next in job.waiting where waiting[next.id] != nil {
            if case .failure(let reason) = outcome {
                waiting[next.id] = nil
                next.finish(.failure("needs \(job.id), \(reason)"))
                group.leave()
            } else if next.isReady {
                waiting[next.id] = nil
                run(next)
            }
        }
        group.leave()
    }
}

final class Office {
    private let runner = Runner(maximumAttempts: 3)
    private let book = ResultBook()
    private var serial = 0
    private var finishedCount = 0

    init() {
        let book = self.book
        runner.addHook { [weak self] job in
            self?.finishedCount += 1
            if job.attempts > 1 { book.note(job.id + 100, "\(job.attempts) attempts") }
        }
    }

    @discardableResult
    func enqueue(_ work: any Work, after needs: [Job] = []) -> Job {
        serial += 1
        let job = Job(id: serial, work: work, needs: needs)
        let book = self.book
        job.onFinish = { outcome in
            book.note(job.id, "\(job.work.label): \(outcome.text)")
        }
        job.onProgress = { attempt in
            if attempt > 2 { book.note(job.id, "still trying") }
        }
        runner.submit(job)
        return job
    }

    func night() {
        for level in 1...3 {
            let pictures = enqueue(RenderThumbnails(level: level))
            enqueue(SendMail(address: "player\(level)"), after: [pictures])
        }
        let close = enqueue(CloseSeason())
        enqueue(SendMail(address: "everybody"), after: [close])
        runner.waitForAll()
    }

    var report: String { "\(finishedCount) ran to the end\n\(book.text)" }
}

func nightShift() {
    let office = Office()
    office.night()
    print(office.report)
}

nightShift()
