import Foundation

// WebSocket style gateway: sockets with callbacks, topics, a broadcaster and a back-pressure guard.

enum Event: Sendable {
    case text(topic: String, body: String)
    case goodbye
}

final class Socket: @unchecked Sendable {
    let id: Int
    var onText: ((String) -> Void)?
    var onClose: (() -> Void)?
    private let lock = NSLock()
    private var outbox: [String] = []
    private(set) var isOpen = true

    init(id: Int) {
        self.id = id
    }

    /// Called by the transport when a frame has come in.
    func receive(_ text: String) {
        guard isOpen else { return }
        onText?(text)
    }

    func send(_ text: String) {
        lock.withLock {
            outbox.append(text)
            if outbox.count > 8 { outbox.removeFirst() }
        }
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        let notify = onClose
        onClose = nil
        notify?()
    }

    var queued: Int { lock.withLock { outbox.count } }
}

final class Topic: @unchecked Sendable {
    private struct Member {
        weak var socket: Socket?
    }

    let name: String
    private let lock = NSLock()
    private var members: [Int: Member] = [:]

    init(name: String) {
        self.name = name
    }

    func add(_ socket: Socket) {
        lock.withLock { members[socket.id] = Member(socket: socket) }
    }

    func remove(_ id: Int) {
        lock.withLock { members[id] = nil }
    }

    func publish(_ body: String) -> Int {
        let targets = lock.withLock { members.values.compactMap(\.socket) }
        targets.forEach { $0.send(body) }
        return targets.count
    }
}

actor Broadcaster {
    private let topics: [String: Topic]
    private let events: AsyncStream<Event>
    private let input: AsyncStream<Event>.Continuation
    private var pump: Task<Void, Never>?
    private(set) var delivered = 0

    init(topics: [Topic]) {
        self.topics = Dictionary(uniqueKeysWithValues: topics.map { ($0.name, $0) })
        (events, input) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    func start() {
        guard pump == nil else { return }
        pump = Task {
            for await event in events {
                self.handle(event)
            }
        }
    }

    func stop() {
        input.yield(.goodbye)
        pump = nil
    }

    nonisolated func submit(_ event: Event) {
        input.yield(event)
    }

    private func handle(_ event: Event) {
        switch event {
        case .text(let topic, let body):
            delivered += topics[topic]?.publish(body) ?? 0
        case .goodbye:
            topics.values.forEach { _ = $0.publish("server is going away") }
        }
    }
}

/// Counts frames per second of a socket; forgets a socket when it has gone.
final class FloodGuard {
    private var windows: [Int: (second: Int, count: Int)] = [:]
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func admits(_ id: Int, at second: Int) -> Bool {
        var window = windows[id] ?? (second, 0)
        if window.second != second { window = (second, 0) }
        window.count += 1
        windows[id] = window
        return window.count <= limit
    }

    func forget(_ id: Int) {
        windows.removeValue(forKey: id)
    }
}

final class Gateway {
    private var sockets: [Int: Socket] = [:]
    private let flood = FloodGuard(limit: 5)
    private let broadcaster: Broadcaster
    private let topics: [Topic]
    private var accepted = 0
    private var clock = 0

    init(topics: [Topic], broadcaster: Broadcaster) {
        self.topics = topics
        self.broadcaster = broadcaster
    }

    func accept(_ socket: Socket) {
        accepted += 1
        sockets[socket.id] = socket
        topics.forEach { $0.add(socket) }
        socket.onText = { [weak self] text in
            self?.received(text, from: socket)
        }
        socket.onClose = { [weak self, id = socket.id] in
            self?.dropped(id)
        }
    }

    func tick() {
        clock += 1
    }

    func shutdown() {
        for socket in Array(sockets.values) {
            socket.close()
        }
        sockets.removeAll()
    }

    var summary: String { "\(accepted) accepted, \(sockets.count) open" }

    private func received(_ text: String, from socket: Socket) {
        guard flood.admits(socket.id, at: clock) else {
            socket.send("slow down")
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return }
        broadcaster.submit(.text(topic: parts[0], body: parts[1]))
    }

    private func dropped(_ id: Int) {
        sockets[id] = nil
        flood.forget(id)
        topics.forEach { $0.remove(id) }
    }
}

func day() async {
    let topics = [Topic(name: "news"), Topic(name: "chat")]
    let broadcaster = Broadcaster(topics: topics)
    await broadcaster.start()
    let gateway = Gateway(topics: topics, broadcaster: broadcaster)

    for id in 1...6 {
        let socket = Socket(id: id)
        gateway.accept(socket)
        for line in 0..<7 {
            socket.receive("\(id % 2 == 0 ? "news" : "chat"):line \(line)")
        }
        if id % 3 == 0 { socket.close() }
        gateway.tick()
    }
    try? await Task.sleep(for: .milliseconds(30))
    print(gateway.summary, "delivered some:", await broadcaster.delivered > 0)
    gateway.shutdown()
    await broadcaster.stop()
    try? await Task.sleep(for: .milliseconds(20))
    print(gateway.summary)
}

await day()
