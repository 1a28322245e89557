import Foundation

struct Page: Sendable {
    let address: String
    let status: Int
    let links: [String]
}

protocol PageSource: Sendable {
    func load(_ address: String) async throws -> Page
}

struct NotFound: Error { let address: String }

struct StubSite: PageSource {
    let pages: [String: [String]]

    func load(_ address: String) async throws -> Page {
        await Task.yield()
        guard let links = pages[address] else { throw NotFound(address: address) }
        return Page(address: address, status: 200, links: links)
    }
}

struct CrawlReport: Sendable {
    var visited: [String] = []
    var broken: [String] = []
    var depth = 0
}

actor Politeness {
    private var lastVisit: [String: ContinuousClock.Instant] = [:]
    private let gap: Duration

    init(gap: Duration) {
        self.gap = gap
    }

    func wait(for host: String) async {
        let now = ContinuousClock.now
        lastVisit = lastVisit.filter { now - $0.value < gap * 4 }
        let ready = lastVisit[host].map { $0 + gap } ?? now
        lastVisit[host] = max(ready, now)
        if ready > now { try? await Task.sleep(until: ready, clock: .continuous) }
    }
}

actor Crawler {
    private let source: any PageSource
    private let politeness: Politeness
    private var seen: Set<String> = []
    private var report = CrawlReport()
    private var run: Task<CrawlReport, Never>?
    private var progress: AsyncStream<Int>.Continuation?

    init(source: any PageSource, politeness: Politeness) {
        self.source = source
        self.politeness = politeness
    }

    func crawl(from root: String, maxDepth: Int) async -> CrawlReport {
        if let run { return await run.value }
        let task = Task {
            await self.spread([root], maxDepth: maxDepth)
            return self.report
        }
        run = task
        let result = await task.value
        run = nil
        progress?.finish()
        progress = nil
        return result
    }

    func progressUpdates() -> AsyncStream<Int> {
        AsyncStream { continuation in
            progress?.finish()
            progress = continuation
        }
    }

    private func spread(_ frontier: [String], maxDepth: Int) async {
        var frontier = frontier
        while !frontier.isEmpty, report.depth < maxDepth, !Task.isCancelled {
            report.depth += 1
            let batch = frontier.filter { seen.insert($0).inserted }
            frontier = []
            await withTaskGroup(of: (String, Page?).self) { group in
                for address in batch {
                    group.addTask {
                        await self.politeness.wait(for: address.split(separator: "/").first.map(String.init) ?? "")
                        return (address, try? await self.source.load(address))
                    }
                }
                for await (address, page) in group {
                    if let page {
                        report.visited.append(address)
                        frontier.append(contentsOf: page.links)
                    } else {
                        report.broken.append(address)
                    }
                    progress?.yield(report.visited.count)
                }
            }
        }
    }
}

@MainActor
final class CrawlDashboard {
    private var watcher: Task<Void, Never>?
    private(set) var highWater = 0

    func follow(_ crawler: Crawler) async {
        let updates = await crawler.progressUpdates()
        watcher = Task { [weak self] in
            for await count in updates {
                self?.highWater = max(self?.highWater ?? 0, count)
            }
        }
    }

    func settled() async -> Int {
        await watcher?.value
        watcher = nil
        return highWater
    }
}

@MainActor
func audit(_ pages: [String: [String]], from root: String) async {
    let crawler = Crawler(source: StubSite(pages: pages), politeness: Politeness(gap: .milliseconds(1)))
    let dashboard = CrawlDashboard()
    await dashboard.follow(crawler)
    let report = await crawler.crawl(from: root, maxDepth: 5)
    let peak = await dashboard.settled()
    print(report.visited.sorted(), report.broken, report.depth, peak)
}

await audit(["a.org/": ["a.org/x", "a.org/y"], "a.org/x": ["a.org/", "b.org/"], "a.org/y": ["a.org/gone"], "b.org/": []], from: "a.org/")
await audit(["solo/": ["solo/"]], from: "solo/")
