import Foundation

// MARK: - Wire types

struct Frame: Sendable {
    let messageID: String
    let room: String
    let sender: Int
    let body: String
}

enum ServerError: Error {
    case rateLimited(Int)
    case closed
}

// MARK: - Per connection state

actor Session {
    nonisolated let id: Int
    private var heartbeat: Task<Void, Never>?
    private var pings = 0
    private var recent: [Frame] = []
    private let outbox: AsyncStream<Frame>.Continuation
    private let historyLimit = 32

    init(id: Int, outbox: AsyncStream<Frame>.Continuation) {
        self.id = id
        self.outbox = outbox
    }

    func open() {
        heartbeat = Task {
            while !Task.isCancelled {
                ping()
                try? await Task.sleep(nanoseconds: 20_000_000)
            }
        }
        Task { await self.greet() }
    }

    func deliver(_ frame: Frame) {
        recent.append(frame)
        if recent.count > historyLimit { recent.removeFirst() }
        outbox.yield(frame)
    }

    func close() {
        recent.removeAll()
        outbox.finish()
    }

    private func greet() async {
        await Task.yield()
        outbox.yield(Frame(messageID: "hello-\(id)", room: "lobby", sender: 0, body: "welcome"))
    }

    private func ping() {
        pings += 1
    }

    deinit {
        heartbeat?.cancel()
    }
}

// MARK: - Rate limiting

actor RateLimiter {
    private struct Window {
        var startedAt: Date
        var count: Int
    }

    private var windows: [Int: Window] = [:]
    private var sweeper: Task<Void, Never>?
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func start() {
        sweeper = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(nanoseconds: 10_000_000)
                guard let self else { return }
                await self.sweep(now: Date())
            }
        }
    }

    func admit(_ client: Int, now: Date = Date()) throws {
        var window = windows[client] ?? Window(startedAt: now, count: 0)
        window.count += 1
        windows[client] = window
        if window.count > limit { throw ServerError.rateLimited(client) }
    }

    private func sweep(now: Date) {
        windows = windows.filter { now.timeIntervalSince($0.value.startedAt) < 1 }
    }

    deinit {
        sweeper?.cancel()
    }
}

// MARK: - Duplicate suppression

struct Deduplicator {
    private var accepted: Set<String> = []
    private var inFlight: Set<String> = []

    mutating func begin(_ id: String) -> Bool {
        guard !accepted.contains(id), inFlight.insert(id).inserted else { return false }
        return true
    }

    mutating func commit(_ id: String) {
        inFlight.remove(id)
        accepted.insert(id)
    }
}

// MARK: - Server

actor ChatServer {
    private var sessions: [Int: Session] = [:]
    private var rooms: [String: Set<Int>] = [:]
    private var dedup = Deduplicator()
    private let limiter = RateLimiter(limit: 100)
    private var dropped = 0

    func start() async {
        await limiter.start()
    }

    func connect(_ id: Int, room: String) async -> AsyncStream<Frame> {
        let (stream, continuation) = AsyncStream.makeStream(of: Frame.self, bufferingPolicy: .bufferingNewest(64))
        let session = Session(id: id, outbox: continuation)
        sessions[id] = session
        rooms[room, default: []].insert(id)
        await session.open()
        return stream
    }

    func disconnect(_ id: Int) async {
        guard let session = sessions.removeValue(forKey: id) else { return }
        for room in Array(rooms.keys) {
            rooms[room]?.remove(id)
            if rooms[room]?.isEmpty == true { rooms[room] = nil }
        }
        await session.close()
    }

    func receive(_ frame: Frame) async throws {
        try await limiter.admit(frame.sender)
        guard dedup.begin(frame.messageID) else {
            dropped += 1
            return
        }
        for member in rooms[frame.room] ?? [] where member != frame.sender {
            await sessions[member]?.deliver(frame)
        }
        dedup.commit(frame.messageID)
    }

    func stats() -> String {
        "sessions \(sessions.count) rooms \(rooms.count) dropped \(dropped)"
    }
}

// MARK: - Entry

func simulateClient(_ id: Int, on server: ChatServer) async {
    let inbox = await server.connect(id, room: "swift")
    let reader = Task {
        var count = 0
        for await _ in inbox { count += 1 }
        return count
    }
    for n in 0..<20 {
        let frame = Frame(messageID: UUID().uuidString, room: "swift", sender: id, body: "message \(n)")
        do {
            try await server.receive(frame)
            if n % 5 == 0 { try await server.receive(frame) }
        } catch {
            print("client", id, error)
        }
    }
    await server.disconnect(id)
    _ = await reader.value
}

func runServer() async {
    let server = ChatServer()
    await server.start()
    await withTaskGroup(of: Void.self) { group in
        for id in 1...6 {
            group.addTask { await simulateClient(id, on: server) }
        }
    }
    print(await server.stats())
}

await runServer()
try? await Task.sleep(nanoseconds: 150_000_000)
