import Foundation
import Testing

/// `gameprof push` against a server that takes the requests of Pyroscope and Parca as they document them.
@Suite struct PushTests {
    /// Answers 503 as often as it is asked to, then 200, and keeps what it got.
    private static let server = """
        import http.server, json, sys
        class Store(http.server.BaseHTTPRequestHandler):
            failures = int(sys.argv[1])
            status = int(sys.argv[2])
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = 503 if Store.failures > 0 else Store.status
                Store.failures -= 1
                with open("requests", "a") as file:
                    file.write(json.dumps({"path": self.path, "headers": dict(self.headers), "body": body.hex(), "status": status}) + "\\n")
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()
            def log_message(self, *_): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Store)
        with open("port.new", "w") as file: file.write(str(server.server_port))
        import os; os.rename("port.new", "port")
        print("ready", flush=True)
        server.serve_forever()
        """

    private struct Request: Decodable {
        var path: String
        var headers: [String: String]
        var body: String
        var status: Int

        var data: Data {
            var bytes = Data()
            var rest = Array(body.utf8)[...]
            while rest.count >= 2 {
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            }
            return bytes
        }
    }

    /// Runs `body` with the port of a store.
    private func withStore(
        in folder: TemporaryFolder, failures: Int = 0, status: Int = 200, _ body: (String) throws -> Void
    ) throws -> [Request] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.server, "\(failures)", "\(status)"]
        process.currentDirectoryURL = folder.url
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer {
            // It has inherited the blocked signals of the test's thread.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        _ = try output.fileHandleForReading.read(upToCount: 6)
        try body(try String(contentsOf: folder.url.appending(path: "port"), encoding: .utf8))
        guard let text = try? String(contentsOf: folder.url.appending(path: "requests"), encoding: .utf8) else {
            return []
        }
        return try text.split(separator: "\n").map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }

    private func record(into folder: TemporaryFolder, _ instruments: String = "allocations,time") throws {
        let program = Products.GameLabBuild.debug.executable.path
        let run = try Command.run(
            Products.gameprof,
            [
                "record", "--instruments", instruments, "--output", "game.gptrace", "--quiet", "--", program, "fault",
                "compute-sum", "--presses", "11",
            ], directory: folder.url)
        #expect(run.status == 0, "\(run.error)")
    }

    private func push(_ folder: TemporaryFolder, _ arguments: String...) throws -> CommandResult {
        try Command.run(
            Products.gameprof, ["push", "game.gptrace"] + arguments,
            environment: ["GAMEPROF_PUSH_TOKEN": "secret", "http_proxy": nil], directory: folder.url)
    }

    @Test("Pyroscope gets time, allocated and live memory, each after the answers that asked for patience")
    func pyroscope() throws {
        let folder = try TemporaryFolder()
        try record(into: folder)
        let requests = try withStore(in: folder, failures: 2) { port in
            let run = try push(
                folder, "--to", "http://127.0.0.1:\(port)", "--service", "game", "--label", "env=test", "--header",
                "X-Scope-OrgID: team")
            #expect(run.status == 0, "\(run.error)")
            #expect(run.error.contains("Sent CPU time, allocated memory, live memory."))
        }
        #expect(requests.map(\.status) == [503, 503, 200, 200, 200])
        #expect(Set(requests.prefix(3).map(\.body)).count == 1)
        for request in requests {
            #expect(request.path.hasPrefix("/ingest?name=game%7Benv%3Dtest%7D&from="))
            #expect(request.path.contains("&format=pprof&"))
            #expect(request.headers["Authorization"] == "Bearer secret" && request.headers["X-Scope-OrgID"] == "team")
        }
        for (request, name) in zip(requests.suffix(3), ["cpu", "alloc_space", "inuse_space"]) {
            #expect(request.data.range(of: Data(name.utf8)) != nil)
            #expect(request.data.range(of: Data("DemoList.append(_:)".utf8)) != nil || name != "alloc_space")
        }
    }

    @Test("Parca gets its message")
    func parca() throws {
        let folder = try TemporaryFolder()
        try record(into: folder, "allocations")
        let requests = try withStore(in: folder) { port in
            let run = try push(folder, "--to", "http://127.0.0.1:\(port)", "--store", "parca", "--quiet")
            #expect(run.status == 0, "\(run.error)")
        }
        #expect(requests.map(\.path) == ["/api/profiles/writeraw", "/api/profiles/writeraw"])
        for request in requests {
            let json = try #require(JSONSerialization.jsonObject(with: request.data) as? [String: Any])
            #expect((json["series"] as? [Any])?.count == 1)
        }
    }

    @Test("a store that refuses is a failure with its status")
    func refused() throws {
        let folder = try TemporaryFolder()
        try record(into: folder, "allocations")
        let requests = try withStore(in: folder, status: 422) { port in
            let run = try push(folder, "--to", "http://127.0.0.1:\(port)")
            #expect(run.status == 4 && run.error.contains("HTTP status 422"))
        }
        #expect(requests.count == 1)
    }

    @Test("wrong usage is reported before anything is sent")
    func wrongUsage() throws {
        let folder = try TemporaryFolder()
        try record(into: folder, "allocations")
        #expect(try push(folder, "--to", "file:///etc").status == 2)
        #expect(try push(folder, "--to", "http://127.0.0.1:9", "--label", "a-b=c").status == 2)
        #expect(try push(folder, "--to", "http://127.0.0.1:9", "--label", "nothing").status == 2)
        let unanswered = try push(folder, "--to", "http://127.0.0.1:9", "--timeout", "1")
        #expect(unanswered.status == 4 && unanswered.error.contains("nothing listens there"))
    }
}
