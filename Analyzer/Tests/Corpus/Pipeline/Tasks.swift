import Foundation

/// Polls for as long as it lives, or longer.
actor Poller {
    private var task: Task<Void, Never>?
    private var watcher: Task<Void, Never>?
    private var loader: Task<Data, any Error>?
    private var count = 0
    private let stream: AsyncStream<Int>

    init(stream: AsyncStream<Int>) {
        self.stream = stream
    }

    func start() {
        task = Task {  // suspect: endless-task
            while !Task.isCancelled {
                await self.poll()
                try? await Task.sleep(for: .seconds(1))
            }
        }
        watcher = Task { [weak self] in  // no-finding: endless-task
            while !Task.isCancelled {
                guard let self else { return }
                await self.poll()
                try? await Task.sleep(for: .seconds(1))
            }
        }
        loader = Task {  // no-finding: endless-task
            try await self.load()
        }
    }

    func load() async throws -> Data { Data() }

    func poll() {
        count += 1
    }

    deinit {
        task?.cancel()
        watcher?.cancel()
    }
}

/// Unwraps too early.
final class Ticker: @unchecked Sendable {
    private var task: Task<Void, Never>?
    private var other: Task<Void, Never>?
    private var third: Task<Void, any Error>?
    private var ticks = 0

    func start() {
        task = Task { [weak self] in  // suspect: endless-task
            guard let self else { return }
            while true {
                self.ticks += 1
                try? await Task.sleep(for: .seconds(1))
            }
        }
        other = Task { [weak self] in  // no-finding: endless-task
            while let self {
                self.ticks += 1
                try? await Task.sleep(for: .seconds(1))
            }
        }
        third = Task.detached { [ticks] in  // no-finding: endless-task
            while true {
                try await Task.sleep(for: .seconds(ticks))
            }
        }
    }

    func stop() {
        other?.cancel()
        third?.cancel()
    }
}

/// Consumes a stream.
final class Feed: @unchecked Sendable {
    private let (events, continuation) = AsyncStream.makeStream(of: String.self)
    private var tasks: [Task<Void, Never>] = []
    private var single: Task<Void, Never>?
    private var stopped: Task<Void, Never>?
    private var items: [String] = []

    func start() {
        single = Task {  // suspect: endless-task
            for await event in self.events {
                self.items.append(event)
            }
        }
        tasks.append(
            Task { [weak self] in  // no-finding: endless-task
                guard let events = self?.events else { return }
                for await event in events {
                    self?.items.append(event)
                }
            })
        tasks.append(
            Task {  // suspect: endless-task
                await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await event in self.events { self.items.append(event) }
                    }
                }
            })
        stopped = Task {  // no-finding: endless-task
            for await event in self.events { self.items.append(event) }
        }
    }

    func cancel() {
        stopped?.cancel()
        stopped = nil
        items.removeAll()
    }
}

/// Runs until somebody ends it, and somebody does: structured.
struct Worker {
    let jobs: AsyncStream<Int>

    func run() async {
        for await job in jobs {
            Task { print(job) }  // no-finding: endless-task
        }
    }
}

/// A service: its life is the program's.
actor Janitor {
    private var sweeping: Task<Void, Never>?
    private var debounce: Task<Void, Never>?
    private var dust: [Int] = []

    func begin() {
        sweeping = Task { await self.sweepForever() }  // suspect: endless-task
    }

    private func sweepForever() async {
        while true {
            dust.removeAll()
            try? await Task.sleep(for: .seconds(60))
        }
    }

    func note(_ speck: Int) {
        dust.append(speck)
        debounce?.cancel()
        debounce = Task {  // no-finding: endless-task
            for attempt in 0..<3 {
                self.dust.append(attempt)
            }
        }
    }
}
