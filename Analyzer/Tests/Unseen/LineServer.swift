import Foundation

enum ServerEvent {
    case joined(Int), left(Int), line(Int, String)
}

protocol ByteChannel: AnyObject {
    var onBytes: ((String) -> Void)? { get set }
    var onClosed: (() -> Void)? { get set }
    func write(_ text: String)
    func close()
}

/// An in-process channel with two linked ends.
final class LoopbackChannel: ByteChannel {
    var onBytes: ((String) -> Void)?
    var onClosed: (() -> Void)?
    private weak var peer: LoopbackChannel?

    static func pair() -> (LoopbackChannel, LoopbackChannel) {
        let a = LoopbackChannel()
        let b = LoopbackChannel()
        a.peer = b
        b.peer = a
        return (a, b)
    }

    func write(_ text: String) {
        peer?.onBytes?(text)
    }

    func close() {
        let closed = onClosed
        onBytes = nil
        onClosed = nil
        closed?()
        let other = peer
        peer = nil
        other?.close()
    }
}

final class LineServer {
    /// One accepted client.
    final class Connection {
        let id: Int
        private let server: LineServer
        private let channel: any ByteChannel
        private var partial = ""

        init(id: Int, server: LineServer, channel: any ByteChannel) {
            self.id = id
            self.server = server
            self.channel = channel
        }

        func activate() {
            channel.onBytes = { self.received($0) }
            channel.onClosed = {
                self.server.closed(self)
            }
        }

        private func received(_ bytes: String) {
            partial += bytes
            while let newline = partial.firstIndex(of: "\n") {
                let line = String(partial[..<newline])
                partial.removeSubrange(...newline)
                server.received(line, from: self)
            }
        }

        func send(_ line: String) {
            channel.write(line + "\n")
        }

        func disconnect() {
            channel.close()
        }
    }

    private var connections: [Int: Connection] = [:]
    private var nextID = 1
    private var log: [ServerEvent] = []
    private let logLimit = 256

    func accept(_ channel: any ByteChannel) {
        let connection = Connection(id: nextID, server: self, channel: channel)
        nextID += 1
        connections[connection.id] = connection
        connection.activate()
        note(.joined(connection.id))
        connection.send("hello \(connection.id)")
    }

    private func received(_ line: String, from connection: Connection) {
        note(.line(connection.id, line))
        switch line {
        case "quit":
            connection.disconnect()
        case "who":
            connection.send(connections.keys.sorted().map(String.init).joined(separator: " "))
        default:
            for (id, other) in connections where id != connection.id { other.send("\(connection.id): \(line)") }
        }
    }

    private func closed(_ connection: Connection) {
        connections[connection.id] = nil
        note(.left(connection.id))
    }

    private func note(_ event: ServerEvent) {
        log.append(event)
        if log.count > logLimit { log.removeFirst(log.count - logLimit) }
    }

    func shutDown() {
        for connection in Array(connections.values) { connection.disconnect() }
    }

    var traffic: Int { log.count }
}

final class TerminalClient {
    private let channel: any ByteChannel
    private(set) var screen = ""

    init(channel: any ByteChannel) {
        self.channel = channel
        channel.onBytes = { [weak self] text in
            self?.screen += text
        }
    }

    func type(_ line: String) {
        channel.write(line + "\n")
    }
}

func party() {
    let server = LineServer()
    defer {
        server.shutDown()
        print("events", server.traffic)
    }
    let clients = (0..<3).map { _ in
        let (near, far) = LoopbackChannel.pair()
        let client = TerminalClient(channel: near)
        server.accept(far)
        return client
    }
    clients[0].type("hi all")
    clients[1].type("who")
    clients[1].type("quit")
    clients[2].type("bye")
    for client in clients { print(client.screen.split(separator: "\n")) }
}

party()
