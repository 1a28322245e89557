import Foundation

/// Limits how many tasks may be inside a section at once; waiters are first come, first served.
actor AsyncGate {
    private let width: Int
    private var inside = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(width: Int) {
        self.width = width
    }

    func enter() async {
        if inside < width {
            inside += 1
            return
        }
        await withCheckedContinuation { continuation in
            self.waiters.append(continuation)
        }
    }

    func leave() {
        if waiters.isEmpty {
            inside -= 1
        } else {
            waiters.removeFirst().resume()
        }
    }

    nonisolated func within<T: Sendable>(_ body: @Sendable () async throws -> T) async rethrows -> T {
        await enter()
        do {
            let value = try await body()
            await leave()
            return value
        } catch {
            await leave()
            throw error
        }
    }
}

actor SingleFlight<Key: Hashable & Sendable, Value: Sendable> {
    private var running: [Key: Task<Value, any Error>] = [:]
    private let load: @Sendable (Key) async throws -> Value

    init(load: @escaping @Sendable (Key) async throws -> Value) {
        self.load = load
    }

    func value(for key: Key) async throws -> Value {
        if let task = running[key] { return try await task.value }
        let task = Task { try await self.load(key) }
        running[key] = task
        defer { running[key] = nil }
        return try await task.value
    }
}

struct Thumbnail: Sendable {
    let path: String
    let checksum: Int
}

struct RenderFailure: Error {
    let path: String
}

final class ThumbnailService: Sendable {
    private let gate = AsyncGate(width: 3)
    private let flights: SingleFlight<String, Thumbnail>

    init() {
        let gate = self.gate
        flights = SingleFlight { path in
            try await gate.within {
                try await ThumbnailService.render(path)
            }
        }
    }

    static func render(_ path: String) async throws -> Thumbnail {
        try await Task.sleep(for: .milliseconds(1))
        guard !path.isEmpty else { throw RenderFailure(path: path) }
        return Thumbnail(path: path, checksum: path.utf8.reduce(17) { $0 &* 31 &+ Int($1) })
    }

    func thumbnail(_ path: String) async throws -> Thumbnail {
        try await flights.value(for: path)
    }

    func all(_ paths: [String]) async -> [Thumbnail] {
        await withTaskGroup(of: Thumbnail?.self) { group in
            for path in paths {
                group.addTask { try? await self.thumbnail(path) }
            }
            var found: [Thumbnail] = []
            for await item in group {
                if let item { found.append(item) }
            }
            return found
        }
    }
}

actor Progress {
    private var finished = 0
    private var observers: [UUID: AsyncStream<Int>.Continuation] = [:]

    func advance() {
        finished += 1
        for observer in observers.values { observer.yield(finished) }
    }

    func updates() -> AsyncStream<Int> {
        let id = UUID()
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        observers[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.drop(id) }
        }
        return stream
    }

    private func drop(_ id: UUID) {
        observers[id] = nil
    }
}

func exportAlbum() async {
    let service = ThumbnailService()
    let progress = Progress()
    let display = Task {
        for await count in await progress.updates() where count >= 4 {
            return count
        }
        return 0
    }
    try? await Task.sleep(for: .milliseconds(5))
    let thumbnails = await service.all(["a.raw", "b.raw", "a.raw", "", "c.raw"])
    for _ in thumbnails { await progress.advance() }
    print(thumbnails.count, await display.value)
}

await exportAlbum()
