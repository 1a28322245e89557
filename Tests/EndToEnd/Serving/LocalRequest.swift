import Foundation

/// Where a program offers figures, as it says on its first line.
enum ServedAddress: Equatable {
    case port(UInt16)
    case socket(String)

    init?(line: String) {
        guard let place = line.split(separator: " ").last, line.hasPrefix("serving at ") else { return nil }
        if let port = place.split(separator: ":").last.flatMap({ UInt16($0) }) {
            self = .port(port)
        } else {
            self = .socket(String(place))
        }
    }

    /// A connected socket; nil: nobody listens.
    func connect() -> CInt? {
        let type = CInt(SOCK_STREAM.rawValue)
        switch self {
        case .port(let port):
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = port.bigEndian
            place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            return Self.connected(Foundation.socket(AF_INET, type, 0), &place)
        case .socket(let path):
            var place = sockaddr_un()
            place.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
            return Self.connected(Foundation.socket(AF_UNIX, type, 0), &place)
        }
    }

    private static func connected<Place>(_ descriptor: CInt, _ place: inout Place) -> CInt? {
        let size = socklen_t(MemoryLayout<Place>.size)
        let result = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.connect(descriptor, $0, size) }
        }
        if result == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    struct Answer {
        var status: Int
        var head: String
        var body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// Sends the bytes and reads to the end; nil: nobody listens, or what comes back is no answer.
    func send(_ request: String) -> Answer? {
        guard let descriptor = connect() else { return nil }
        defer { close(descriptor) }
        _ = Array(request.utf8).withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0x4000) }
        var all = Data()
        var piece = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            all.append(contentsOf: piece.prefix(count))
        }
        guard let end = all.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: all[..<end.lowerBound], as: UTF8.self)
        let words = head.split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        return Answer(status: status, head: head, body: Data(all[end.upperBound...]))
    }

    func get(_ target: String) -> Answer? { send("GET \(target) HTTP/1.0\r\nHost: localhost\r\n\r\n") }
}

/// A game that runs and offers its figures.
final class ServingGame {
    let address: ServedAddress
    var processID: pid_t { process.processIdentifier }
    private let process = Process()
    private let output = Pipe()
    private let folder: TemporaryFolder

    struct NotServing: Error { var said: String }

    /// `place`: of its option `--serve`.
    init(
        _ executable: URL = Products.animatedGame, frames: Int = 36000, place: String = "0",
        environment: [String: String?]
    ) throws {
        folder = try TemporaryFolder()
        process.executableURL = executable
        process.arguments = ["\(frames)", "--serve", place]
        process.currentDirectoryURL = folder.url
        process.environment = Command.environment(ProcessInfo.processInfo.environment, adding: environment)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        var line = ""
        while !line.hasSuffix("\n"), let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            line += String(decoding: byte, as: UTF8.self)
        }
        guard let address = ServedAddress(line: String(line.dropLast())) else {
            process.terminate()
            throw NotServing(said: line)
        }
        self.address = address
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Waits for its end. What it printed behind its first line, and its status.
    func end() throws -> (output: String, status: Int32) {
        let rest = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (String(decoding: rest, as: UTF8.self), process.terminationStatus)
    }

    /// Asks until `isRight`; nil: it was not within a minute.
    func get(_ target: String, until isRight: (ServedAddress.Answer) throws -> Bool) rethrows -> ServedAddress.Answer? {
        for _ in 0..<600 {
            if let answer = address.get(target), try isRight(answer) { return answer }
            usleep(100_000)
        }
        return nil
    }
}
