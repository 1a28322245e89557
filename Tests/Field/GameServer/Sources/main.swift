// A web application that links the recorder: a store of games behind JSON routes, middleware, a stream, a bounded load from
// sockets of its own, and a graceful shutdown. With the argument "leaking" each new game loses a session, with "forgetting"
// the file of its moves stays open.
import Dispatch
import Foundation
import GameInstrumentation
import Glibc
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Tracing

struct Game: ResponseCodable, Sendable {
    var id: Int
    var player: String
    var score: Int
}

actor Games {
    private var all: [Int: Game] = [:]
    private var next = 1

    func add(_ player: String) -> Game {
        let game = Game(id: next, player: player, score: 0)
        all[next] = game
        next += 1
        return game
    }
    func find(_ id: Int) -> Game? { all[id] }
    func score(_ id: Int, by points: Int) -> Game? {
        all[id]?.score += points
        return all[id]
    }
    func remove(_ id: Int) -> Bool { all.removeValue(forKey: id) != nil }
    var count: Int { all.count }
}

struct NewGame: Decodable { var player: String }

struct CountRequests<Context: RequestContext>: RouterMiddleware {
    let counter: Counter
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        await counter.add()
        var response = try await next(request, context)
        response.headers[.server] = "games"
        return response
    }
}

actor Counter {
    private(set) var value = 0
    func add() { value += 1 }
}

/// One that `begin(keeping: true)` loses: its handler keeps it.
final class Session {
    let game: Int
    var onEnd: (() -> Void)?
    init(game: Int) { self.game = game }
    func begin(keeping: Bool) {
        if keeping { onEnd = { print(self.game) } } else { onEnd = { [weak self] in print(self?.game ?? 0) } }
    }
}

/// Whoever does not close it keeps its descriptor: the handle is told that another closes it.
struct MoveLog {
    private let file: FileHandle

    init() throws {
        let descriptor = open("/dev/null", O_WRONLY)
        guard descriptor >= 0 else { throw HTTPError(.serviceUnavailable) }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    }
    func note(_ line: String) { file.write(Data(line.utf8)) }
    func close() { try? file.close() }
}

Instrumentation.mark("start")
let forgets = CommandLine.arguments.contains("forgetting")
let leaks = CommandLine.arguments.contains("leaking")
let games = Games()
let counter = Counter()
let router = Router()
router.addMiddleware { CountRequests(counter: counter) }
router.get("games/{id}") { _, context -> Game in
    guard let game = await games.find(try context.parameters.require("id", as: Int.self)) else {
        throw HTTPError(.notFound)
    }
    return game
}
router.post("games") { request, context -> EditedResponse<Game> in
    let game = await games.add(try await request.decode(as: NewGame.self, context: context).player)
    Session(game: game.id).begin(keeping: leaks)
    let log = try MoveLog()
    log.note("game \(game.id)")
    if !forgets { log.close() }
    return EditedResponse(status: .created, response: game)
}
router.put("games/{id}/score/{points}") { _, context -> Game in
    let id = try context.parameters.require("id", as: Int.self)
    guard let game = await games.score(id, by: try context.parameters.require("points", as: Int.self)) else {
        throw HTTPError(.notFound)
    }
    return game
}
router.delete("games/{id}") { _, context -> HTTPResponse.Status in
    await games.remove(try context.parameters.require("id", as: Int.self)) ? .noContent : .notFound
}
router.get("stream/{count}") { _, context -> Response in
    let count = try context.parameters.require("count", as: Int.self)
    return Response(
        status: .ok,
        body: .init { writer in
            for number in 0..<count { try await writer.write(ByteBuffer(string: "part \(number)\n")) }
            try await writer.finish(nil)
        })
}

@Sendable func exchange(_ port: Int, _ request: String) -> String {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard connected == 0 else { return "not connected" }
    _ = request.withCString { write(socket, $0, strlen($0)) }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = read(socket, &buffer, buffer.count), count > 0 { answer += buffer[..<count] }
    return String(decoding: answer, as: UTF8.self)
}

@Sendable func load(_ port: Int, client: Int) -> Int {
    var good = 0
    for number in 0..<20 {
        func send(_ method: String, _ path: String, _ body: String = "") -> String {
            exchange(
                port,
                "\(method) \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Content-Type: application/json\r\n\r\n" + body)
        }
        let made = send("POST", "/games", "{\"player\": \"p\(client)\"}")
        let marker = made.firstRange(of: "\"id\":")
        let id = marker.map { String(made[$0.upperBound...].prefix { $0.isNumber }) } ?? "0"
        good += made.contains("201 Created") && made.contains("Server: games") ? 1 : 0
        good += send("PUT", "/games/\(id)/score/\(number)").contains("\"score\":\(number)") ? 1 : 0
        good += send("GET", "/games/\(id)").contains("\"player\":\"p\(client)\"") ? 1 : 0
        good += send("GET", "/stream/5").contains("part 4") ? 1 : 0
        good += send("DELETE", "/games/\(id)").contains("204") ? 1 : 0
        good += send("GET", "/games/\(id)").contains("404") ? 1 : 0
        good += send("GET", "/nothing").contains("404") ? 1 : 0
    }
    return good
}

let (ports, continuation) = AsyncStream<Int>.makeStream()
var logger = Logger(label: "games")
logger.logLevel = .error
let application = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { channel in
        continuation.yield(channel.localAddress?.port ?? 0)
        continuation.finish()
    }, logger: logger)
let group = ServiceGroup(configuration: .init(services: [application], logger: logger))
let running = Task { try await group.run() }
var port = 0
for await one in ports { port = one }
let listening = port
let good = await withTaskGroup(of: Int.self) { tasks in
    for client in 0..<4 {
        tasks.addTask {
            await withCheckedContinuation { done in
                DispatchQueue.global().async { done.resume(returning: load(listening, client: client)) }
            }
        }
    }
    var sum = 0
    for await one in tasks { sum += one }
    return sum
}
await group.triggerGracefulShutdown()
try await running.value
print("answered \(good) of 560; requests \(await counter.value); games left \(await games.count)")
