import Foundation

typealias Job = () -> Void

final class Scheduler {
    private var queue: [Job] = []
    private var named: [String: [Job]] = [:]
    private var pairs: [(name: String, run: Job)] = []
    private var optional: [Job?] = []
    private var nested: [String: [String: Job]] = [:]
    private var done = 0

    func fill() {
        queue.append { self.done += 1 }  // suspect: stored-closure
        queue += [{ [weak self] in self?.done += 1 }]  // no-finding: stored-closure
        queue += [{ self.done += 1 }]  // suspect: stored-closure
        named["a", default: []].append { self.done += 1 }  // suspect: stored-closure
        pairs.append((name: "b", run: { self.done += 1 }))  // suspect: stored-closure
        optional = [nil, { self.done += 1 }]  // suspect: stored-closure
        nested["c"] = ["d": { self.done += 1 }]  // suspect: stored-closure
        nested["e", default: [:]]["f"] = { self.done += 1 }  // suspect: stored-closure
        queue.insert({ [done] in print(done) }, at: 0)  // no-finding: stored-closure
        queue.append(contentsOf: [finish])  // suspect: stored-method
        queue.append(Scheduler.announce)  // no-finding: stored-method
    }

    func sums() -> Int {
        queue.map { _ in self.done }.reduce(0, +)  // no-finding: stored-closure
    }

    func sortByDone() {
        pairs.sort { first, second in first.name < second.name && self.done > 0 }  // no-finding: stored-closure
    }

    func finish() { done += 1 }
    static func announce() {}
}

/// Every job is taken out when it has run.
final class Mailbox {
    private var jobs: [Job] = []
    private var read = 0

    func post() {
        jobs.append { self.read += 1 }  // no-finding: stored-closure
    }

    func flush() {
        let jobs = self.jobs
        self.jobs = []
        for job in jobs { job() }
    }
}

/// The dictionary is a local: nobody keeps it.
final class Menu {
    private var picks = 0

    func run(_ choice: String) {
        let actions: [String: Job] = [
            "a": { self.picks += 1 },  // no-finding: stored-closure
            "b": { self.picks -= 1 },
        ]
        actions[choice]?()
    }
}

/// Collections that are filled before they are stored.
final class Wizard {
    private var steps: [String: Job] = [:]
    private var list: [Job] = []
    private var position = 0

    func prepare() {
        var steps: [String: Job] = [:]
        steps["next"] = { self.position += 1 }  // suspect: stored-closure
        steps["first"] = { [weak self] in self?.position = 0 }  // no-finding: stored-closure
        self.steps = steps
        var list = [Job]()
        list.append { self.position -= 1 }  // suspect: stored-closure
        list.append { print("end") }  // no-finding: stored-closure
        self.list = list
    }

    func run() {
        var once: [Job] = []
        once.append { self.position = 0 }  // no-finding: stored-closure
        for job in once { job() }
    }

    func count() {
        var sizes: [String: Int] = [:]
        sizes["all"] = list.map { _ in self.position }.count  // no-finding: stored-closure
        list = [{ print(sizes) }]
    }
}
