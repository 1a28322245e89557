// A web server on loopback under a bounded load, then a clean shutdown.
import FlyingFox
import Foundation

let requests = 40
let clients = 4

let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 15, logger: .disabled)
await server.appendRoute("GET /hello/*") { request in
    HTTPResponse(statusCode: .ok, body: Data("hello \(request.path)".utf8))
}
await server.appendRoute("POST /echo") { request in
    HTTPResponse(statusCode: .ok, body: try await request.bodyData)
}

let running = Task { try await server.run() }
try await server.waitUntilListening()
guard case .ip4(_, let port)? = await server.listeningAddress else {
    print("The server has no address.")
    exit(1)
}

/// One exchange over a plain socket: the client's own library is not what is looked at.
@Sendable func exchange(_ request: String) -> String {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
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

let good = await withTaskGroup(of: Int.self) { group in
    for client in 0..<clients {
        group.addTask {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    var good = 0
                    for number in 0..<requests {
                        let text = "client \(client) number \(number)"
                        let answers = [
                            exchange("GET /hello/\(number) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
                            exchange(
                                "POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: \(text.utf8.count)"
                                    + "\r\n\r\n" + text),
                        ]
                        good += answers[0].hasSuffix("hello /hello/\(number)") ? 1 : 0
                        good += answers[1].hasSuffix(text) ? 1 : 0
                    }
                    continuation.resume(returning: good)
                }
            }
        }
    }
    return await group.reduce(0, +)
}
await server.stop(timeout: 3)
_ = await running.result
print("answered \(good) of \(2 * clients * requests)")
