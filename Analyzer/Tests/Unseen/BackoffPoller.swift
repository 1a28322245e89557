import Foundation

enum JobStatus: Equatable {
    case queued, running(Double), finished(String), failed(Int)
}

/// Runs delayed work in virtual time so polls can be tested.
final class VirtualScheduler {
    private struct Entry {
        let due: Double
        let order: Int
        let work: () -> Void
    }

    private var entries: [Entry] = []
    private var now = 0.0
    private var order = 0

    func after(_ delay: Double, _ work: @escaping () -> Void) {
        order += 1
        entries.append(Entry(due: now + delay, order: order, work: work))
    }

    func drain() {
        while let next = entries.min(by: { ($0.due, $0.order) < ($1.due, $1.order) }) {
            entries.removeAll { $0.order == next.order }
            now = next.due
            next.work()
        }
    }
}

final class RemoteJob {
    let id: String
    private var remainingPolls: Int

    init(id: String, polls: Int) {
        self.id = id
        remainingPolls = polls
    }

    func fetchStatus() -> JobStatus {
        remainingPolls -= 1
        switch remainingPolls {
        case ..<0: return .failed(410)
        case 0: return .finished("s3://results/\(id)")
        case 1: return .running(0.9)
        default: return .queued
        }
    }
}

struct Backoff {
    var base = 0.5
    var ceiling = 8.0

    func delay(_ attempt: Int) -> Double {
        min(ceiling, base * pow(2, Double(attempt)))
    }
}

final class JobPoller {
    private let scheduler: VirtualScheduler
    private let backoff = Backoff()
    private(set) var results: [String: String] = [:]

    init(scheduler: VirtualScheduler) {
        self.scheduler = scheduler
    }

    func poll(_ job: RemoteJob, limit: Int = 12, completion: @escaping (JobStatus) -> Void) {
        var tries = 0
        var attempt: () -> Void = {}
        attempt = { [scheduler, backoff] in
            let status = job.fetchStatus()
            tries += 1
            switch status {
            case .finished, .failed:
                completion(status)
            case .queued, .running:
                guard tries < limit else {
                    completion(.failed(408))
                    return
                }
                scheduler.after(backoff.delay(tries)) { attempt() }
            }
        }
        attempt()
    }

    func pollOnce(_ job: RemoteJob, completion: @escaping (JobStatus) -> Void) {
        scheduler.after(backoff.base) {
            completion(job.fetchStatus())
        }
    }

    func pollAll(_ jobs: [RemoteJob], whenDone: @escaping ([String: String]) -> Void) {
        var open = jobs.count
        for job in jobs {
            poll(job) { status in
                if case .finished(let location) = status { self.results[job.id] = location }
                open -= 1
                if open == 0 { whenDone(self.results) }
            }
        }
    }

    func depth(of tree: [String: [String]], from root: String) -> Int {
        func walk(_ name: String) -> Int {
            1 + (tree[name] ?? []).map(walk).reduce(0, max)
        }
        return walk(root)
    }
}

func overnightBatch() {
    let scheduler = VirtualScheduler()
    let poller = JobPoller(scheduler: scheduler)
    let jobs = (1...4).map { RemoteJob(id: "job-\($0)", polls: $0 * 2) }
    poller.pollAll(jobs) { results in print(results.keys.sorted()) }
    poller.pollOnce(RemoteJob(id: "probe", polls: 1)) { print($0) }
    scheduler.drain()
    print(poller.depth(of: ["a": ["b", "c"], "c": ["d"]], from: "a"))
}

overnightBatch()
