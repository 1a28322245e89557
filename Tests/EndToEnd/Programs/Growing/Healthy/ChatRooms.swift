// Rooms with clients that come and go; the program ends while some are connected.
import Foundation

struct Message: Sendable {
    let from: Int
    let text: String
}
final class Client {
    let id: Int
    private(set) var inbox: [Message] = []
    weak var room: Room?
    init(id: Int) { self.id = id }
    func receive(_ message: Message) {
        inbox.append(message)
        if inbox.count > 20 { inbox.removeFirst() }
    }
    deinit { Client.ended += 1 }
    nonisolated(unsafe) static var ended = 0
}
final class Room {
    let name: String
    private(set) var clients: [Int: Client] = [:]
    private var recent: [Message] = []
    init(name: String) { self.name = name }
    func join(_ client: Client) {
        client.room?.leave(client)
        clients[client.id] = client
        client.room = self
        for message in recent { client.receive(message) }
    }
    func leave(_ client: Client) {
        clients[client.id] = nil
        client.room = nil
    }
    func post(_ message: Message) {
        recent.append(message)
        if recent.count > 10 { recent.removeFirst() }
        for client in clients.values where client.id != message.from { client.receive(message) }
    }
}
final class ChatServer {
    private let rooms = (0..<6).map { Room(name: "room-\($0)") }
    private var connected: [Client] = []
    private var next = 0
    private var seed: UInt64 = 17
    private func random(_ bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }
    func tick(_ number: Int) {
        // The evening: more people come than go, up to 300.
        if connected.count < 300, random(10) < (number < 1_000 ? 3 : 5) {
            let client = Client(id: next)
            next += 1
            connected.append(client)
            rooms[random(rooms.count)].join(client)
        }
        if random(10) < 2, !connected.isEmpty {
            let client = connected.remove(at: random(connected.count))
            client.room?.leave(client)
        }
        if !connected.isEmpty {
            let client = connected[random(connected.count)]
            client.room?.post(Message(from: client.id, text: "message \(number) of client \(client.id)"))
        }
    }
    var summary: String { "\(next) came, \(connected.count) connected" }
}
let server = ChatServer()
for number in 0..<2_000 { server.tick(number) }
print(server.summary, Client.ended, "ended")
