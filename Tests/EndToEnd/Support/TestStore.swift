import Foundation

/// Stands for a store of profiles: takes POST requests, answers as it is asked to, and keeps what it got.
final class TestStore {
    /// What it does with a request; the last of its list with all that follow.
    enum Answer {
        case status(Int)
        /// With `Retry-After: 1`.
        case later(Int)
        /// Reads the request and says nothing for ever.
        case silence

        var word: String {
            switch self {
            case .status(let status): "\(status)"
            case .later(let status): "\(status)later"
            case .silence: "silence"
            }
        }
    }

    struct Request: Decodable {
        var path: String
        var headers: [String: String]
        /// 0: none was sent.
        var status: Int
        var number: Int
        var body = Data()

        private enum CodingKeys: CodingKey { case path, headers, status, number }

        /// What the query says.
        var query: [String: String] {
            let items = URLComponents(string: path)?.queryItems ?? []
            return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
        }
    }

    private static let program = """
        import http.server, json, sys, threading
        class Store(http.server.BaseHTTPRequestHandler):
            count = 0
            lock = threading.Lock()
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with Store.lock:
                    number = Store.count
                    Store.count += 1
                    answer = sys.argv[1:][min(number, len(sys.argv) - 2)]
                    status = 0 if answer == "silence" else int(answer[:3])
                    with open("%d.body" % number, "wb") as file: file.write(body)
                    print(json.dumps({"path": self.path, "headers": dict(self.headers), "status": status, "number": number}), flush=True)
                if status == 0: threading.Event().wait()
                self.send_response(status)
                if answer.endswith("later"): self.send_header("Retry-After", "1")
                if status == 302: self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()
            def log_message(self, *_): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Store)
        server.daemon_threads = True
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    let url: String
    private let process = Process()
    private let folder: TemporaryFolder
    private let lines: LineReader

    init(_ answers: Answer...) throws {
        folder = try TemporaryFolder()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program] + (answers.isEmpty ? ["200"] : answers.map(\.word))
        process.currentDirectoryURL = folder.url
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        lines = LineReader(output.fileHandleForReading)
        url = "http://127.0.0.1:\(try lines.next())"
    }

    deinit { end() }

    /// It inherits the blocked signals of the test's thread.
    private func end() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// The next request. Waits for it.
    func next() throws -> Request { try request(lines.next()) }

    /// Those that came and were not asked for. Nothing comes afterwards.
    func rest() throws -> [Request] {
        end()
        return try lines.rest().map(request)
    }

    private func request(_ line: String) throws -> Request {
        var request = try JSONDecoder().decode(Request.self, from: Data(line.utf8))
        request.body = try Data(contentsOf: folder.url.appending(path: "\(request.number).body"))
        return request
    }
}

/// The lines that a process prints, as they come.
final class LineReader {
    struct NothingCame: Error { var before: String }

    private let handle: FileHandle
    private var read = Data()

    init(_ handle: FileHandle) { self.handle = handle }

    /// Waits for it, a minute at most: a test that waits for ever says nothing.
    func next() throws -> String {
        while true {
            if let end = read.firstIndex(of: UInt8(ascii: "\n")) {
                defer { read = Data(read[(end + 1)...]) }
                return String(decoding: read[..<end], as: UTF8.self)
            }
            var state = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
            let isReady = poll(&state, 1, 60_000) > 0
            let piece = isReady ? handle.availableData : Data()
            guard !piece.isEmpty else { throw NothingCame(before: String(decoding: read, as: UTF8.self)) }
            read.append(piece)
        }
    }

    /// All to the end.
    func rest() throws -> [String] {
        read.append(try handle.readToEnd() ?? Data())
        return String(decoding: read, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
