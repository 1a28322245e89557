import Foundation

// Chat rooms over an in-process transport. Everything is actors and async streams.

struct ChatMessage: Sendable {
    let author: String
    let text: String
    let serial: Int
}

actor Room {
    let name: String
    private var members: [UUID: AsyncStream<ChatMessage>.Continuation] = [:]
    private var history: [ChatMessage] = []
    private var serial = 0
    private let historyLimit = 16

    init(name: String) {
        self.name = name
    }

    var population: Int { members.count }

    func join(_ id: UUID) -> AsyncStream<ChatMessage> {
        let (stream, continuation) = AsyncStream<ChatMessage>.makeStream(
            bufferingPolicy: .bufferingNewest(32))
        for old in history.suffix(4) {
            continuation.yield(old)
        }
        continuation.onTermination = { [weak self] _ in
            Task { [weak self] in await self?.forget(id) }
        }
        members[id] = continuation
        return stream
    }

    func leave(_ id: UUID) {
        members.removeValue(forKey: id)?.finish()
    }

    func post(_ text: String, by author: String) {
        serial += 1
        let message = ChatMessage(author: author, text: text, serial: serial)
        history.append(message)
        if history.count > historyLimit {
            history.removeFirst(history.count - historyLimit)
        }
        for continuation in members.values {
            continuation.yield(message)
        }
    }

    func close() {
        let leaving = members
        members.removeAll()
        leaving.values.forEach { $0.finish() }
    }

    private func forget(_ id: UUID) {
        members[id] = nil
    }
}

actor Directory {
    private var rooms: [String: Room] = [:]

    func room(named name: String) -> Room {
        if let existing = rooms[name] { return existing }
        let created = Room(name: name)
        rooms[name] = created
        return created
    }

    func collectEmpty() async {
        for (name, room) in rooms where await room.population == 0 {
            rooms.removeValue(forKey: name)
        }
    }

    func shutdown() async {
        for room in rooms.values {
            await room.close()
        }
        rooms.removeAll()
    }
}

protocol FrameSink: AnyObject, Sendable {
    func write(_ line: String) async
}

actor ConsoleSink: FrameSink {
    private(set) var count = 0
    private var last = ""

    func write(_ line: String) {
        count += 1
        last = line
    }

    var report: String { "\(count) lines, last '\(last)'" }
}

actor Client {
    let id = UUID()
    let nick: String
    private let sink: any FrameSink
    private let directory: Directory
    private var readers: [String: Task<Void, Never>] = [:]
    private var typing: [String: Date] = [:]

    init(nick: String, sink: any FrameSink, directory: Directory) {
        self.nick = nick
        self.sink = sink
        self.directory = directory
    }

    func enter(_ name: String) async {
        guard readers[name] == nil else { return }
        let room = await directory.room(named: name)
        let stream = await room.join(id)
        readers[name] = Task {
            for await message in stream {
                await self.deliver(message, in: name)
            }
            self.readers[name] = nil
        }
    }

    func say(_ text: String, in name: String) async {
        typing[name] = Date()
        let room = await directory.room(named: name)
        await room.post(text, by: nick)
    }

    func part(_ name: String) async {
        let room = await directory.room(named: name)
        await room.leave(id)
        await readers[name]?.value
        typing.removeValue(forKey: name)
    }

    func drained() async {
        for task in readers.values {
            await task.value
        }
    }

    private func deliver(_ message: ChatMessage, in name: String) async {
        await sink.write("[\(name)] #\(message.serial) \(message.author): \(message.text)")
    }
}

/// Announces a line in a room a limited number of times.
actor Announcer {
    private let room: Room
    private var pending: Task<Void, Never>?

    init(room: Room) {
        self.room = room
    }

    func start(times: Int) {
        pending = Task {
            for turn in 1...times {
                guard !Task.isCancelled else { break }
                await self.announce(turn)
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    func wait() async {
        await pending?.value
        pending = nil
    }

    private func announce(_ turn: Int) async {
        await room.post("announcement \(turn)", by: "system")
    }
}

func evening() async {
    let directory = Directory()
    let sink = ConsoleSink()
    let ada = Client(nick: "ada", sink: sink, directory: directory)
    let bob = Client(nick: "bob", sink: sink, directory: directory)

    await ada.enter("lobby")
    await bob.enter("lobby")
    await bob.enter("games")

    for turn in 0..<20 {
        await ada.say("hello \(turn)", in: "lobby")
        await bob.say("move \(turn)", in: "games")
    }

    let announcer = Announcer(room: await directory.room(named: "lobby"))
    await announcer.start(times: 3)
    await announcer.wait()

    await bob.part("games")
    await directory.collectEmpty()
    await directory.shutdown()
    await ada.drained()
    await bob.drained()
    print("sink got \(await sink.report)")
}

await evening()
