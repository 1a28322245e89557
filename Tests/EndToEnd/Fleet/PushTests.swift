import Foundation
import GameprofTestSupport
import Testing

/// `gameprof push` against a server that takes the requests of Pyroscope and Parca as they document them.
@Suite struct PushTests {
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
            environment: [
                "GAMEPROF_PUSH_TOKEN": "secret", "GAMEPROF_PUSH_HEADERS": "X-Scope-OrgID: team", "http_proxy": nil,
            ], directory: folder.url)
    }

    @Test("Pyroscope gets time, allocated and live memory, each after the answers that asked for patience")
    func pyroscope() throws {
        let folder = try TemporaryFolder()
        try record(into: folder)
        let store = try TestStore(.status(503), .status(503), .status(200))
        let run = try push(
            folder, "--to", store.url, "--label", "service_name=game", "--label", "env=test")
        #expect(run.status == 0, "\(run.error)")
        #expect(run.error.contains("Sent CPU time, allocated memory, live memory."))
        let requests = try store.rest()
        #expect(requests.map(\.status) == [503, 503, 200, 200, 200])
        #expect(Set(requests.prefix(3).map(\.body)).count == 1)
        for request in requests {
            #expect(request.path.hasPrefix("/ingest?name=game%7Benv%3Dtest%7D&from="))
            #expect(request.path.contains("&format=pprof&"))
            #expect(request.headers["Authorization"] == "Bearer secret" && request.headers["X-Scope-OrgID"] == "team")
        }
        for (request, name) in zip(requests.suffix(3), ["cpu", "alloc_space", "inuse_space"]) {
            let profile = try PprofReader(request.body)
            #expect(profile.valueNames.last == name && profile.sum(name) > 0)
            let functions = profile.samples.flatMap(\.functions)
            #expect(functions.contains("DemoList.append(_:)") || name != "alloc_space")
        }
    }

    @Test("Parca gets its message")
    func parca() throws {
        let folder = try TemporaryFolder()
        try record(into: folder, "allocations")
        let store = try TestStore()
        let run = try push(folder, "--to", store.url, "--store", "parca", "--quiet")
        #expect(run.status == 0, "\(run.error)")
        let requests = try store.rest()
        #expect(requests.map(\.path) == ["/api/profiles/writeraw", "/api/profiles/writeraw"])
        for request in requests {
            let json = try #require(JSONSerialization.jsonObject(with: request.body) as? [String: Any])
            #expect((json["series"] as? [Any])?.count == 1)
        }
    }

    @Test("a store that refuses is a failure with its status")
    func refused() throws {
        let folder = try TemporaryFolder()
        try record(into: folder, "allocations")
        let store = try TestStore(.status(422))
        let run = try push(folder, "--to", store.url)
        #expect(run.status == 4 && run.error.contains("HTTP status 422"))
        #expect(try store.rest().count == 1)
    }

    @Test("a store that wants to be asked again when the time is over is not said to be asked again and again")
    func postponed() throws {
        let folder = try TemporaryFolder()
        try record(into: folder, "allocations")
        let store = try TestStore(.later(429))
        let run = try push(folder, "--timeout", "1", "--to", store.url)
        #expect(run.status == 4)
        #expect(run.error.contains("HTTP status 429, and it is to be sent again in 1 s, when --timeout is over."))
        #expect(try store.rest().count == 1)
    }

    @Test("wrong usage is reported before anything is sent")
    func wrongUsage() throws {
        let folder = try TemporaryFolder()
        try record(into: folder, "allocations")
        #expect(try push(folder, "--to", "file:///etc").status == 2)
        #expect(try push(folder, "--to", "http://127.0.0.1:9", "--label", "a-b=c").status == 2)
        #expect(try push(folder, "--to", "http://127.0.0.1:9", "--label", "nothing").status == 2)
        let unanswered = try push(folder, "--to", "http://127.0.0.1:9", "--timeout", "1")
        #expect(unanswered.status == 4 && unanswered.error.contains("nothing listens at that address"))
    }
}
