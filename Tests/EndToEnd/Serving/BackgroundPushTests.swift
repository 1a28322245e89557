import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofAnalysis

/// A program that sends its own profiles to a store while it runs.
@Suite(.serialized) struct BackgroundPushTests {
    private static let sampled = ["GAMEPROF": "allocations,time", "GAMEPROF_SAMPLE": "1k;seed=3"]

    private static func isCard(_ sample: PprofReader.Sample) -> Bool { sample.labels["type"] == "PushingProgram.Card" }

    @Test("allocations and CPU time are sent as differences, live memory as it is")
    func profiles() throws {
        let store = try TestStore()
        let game = try PushingGame(
            environment: Self.sampled.merging([
                "GAMEPROF_PUSH_TO": store.url + "/base/", "GAMEPROF_PUSH_SECONDS": "1",
                "GAMEPROF_PUSH_SERVICE": "game", "GAMEPROF_PUSH_LABELS": "version=1.2,env=test",
                "GAMEPROF_PUSH_TOKEN": "secret",
            ]) { $1 })
        try game.ask("make 40000")
        try game.ask("compute")
        var cards: [(profile: PprofReader, from: Int, until: Int)] = []
        var live = 0.0
        var cpu: UInt64 = 0
        // Until all has come, and then some more, which must add nothing.
        var allocated = 0.0
        var further = 0
        var requests = 0
        while further < 4 || cpu == 0 {
            requests += 1
            try #require(requests < 200, "\(allocated) cards, \(cpu) ns")
            let request = try store.next()
            #expect(request.path.hasPrefix("/base/ingest?name=game%7B"))
            let name = try #require(request.query["name"])
            #expect(name.hasPrefix("game{env=test,host=") && name.hasSuffix(",version=1.2}"))
            #expect(request.query["format"] == "pprof" && request.query["spyName"] == "gameprof")
            #expect(request.headers["Authorization"] == "Bearer secret")
            let (from, until) = (
                try #require(request.query["from"].flatMap { Int($0) }),
                try #require(request.query["until"].flatMap { Int($0) })
            )
            #expect(from < until)
            let profile = try PprofReader(request.body)
            let own = profile.samples.filter(Self.isCard)
            switch profile.valueNames {
            case ["alloc_objects", "alloc_space"]:
                #expect(profile.nanoseconds > 0 && Int(profile.unixNanoseconds / 1_000_000_000) == from)
                if let before = cards.last { #expect(abs(before.until - from) <= 1) }
                cards.append((profile, from, until))
                allocated += own.reduce(0) { $0 + Double($1.values["alloc_objects"] ?? 0) }
                #expect(own.allSatisfy { $0.functions.contains { $0.hasPrefix("static Cards.make(") } })
                further += allocated > 30_000 ? 1 : 0
            case ["inuse_objects", "inuse_space"]:
                #expect(profile.nanoseconds == 0)
                live = own.reduce(0) { $0 + Double($1.values["inuse_objects"] ?? 0) }
            default:
                #expect(profile.valueNames == ["samples", "cpu"] && profile.nanoseconds > 0)
                let computing = profile.samples.filter { $0.functions.contains { $0.hasPrefix("compute(") } }
                cpu += computing.reduce(0) { $0 + ($1.values["cpu"] ?? 0) }
                // On a loaded machine it may have ended before CPU time was first looked at.
                if cpu == 0 { try game.ask("compute") }
            }
        }
        // One in 32 or so is sampled: 40,000 ± 1,100 in all, 4,000 ± 350 live.
        #expect((35_000...45_000).contains(allocated), "\(allocated)")
        #expect((2_600...5_400).contains(live), "\(live)")
        let end = try game.end()
        #expect(end.status == 7 && end.output == "4000 cards\n" && end.error.isEmpty, "\(end)")
    }

    @Test("Parca gets its message, with the same labels")
    func parca() throws {
        let store = try TestStore()
        let game = try PushingGame(
            environment: Self.sampled.merging([
                "GAMEPROF_PUSH_TO": store.url, "GAMEPROF_PUSH_SECONDS": "1", "GAMEPROF_PUSH_STORE": "parca",
            ]) { $1 })
        try game.ask("make 40000")
        let request = try store.next()
        #expect(request.path == "/api/profiles/writeraw" && request.headers["Authorization"] == nil)
        let json = try #require(JSONSerialization.jsonObject(with: request.body) as? [String: Any])
        let series = try #require((json["series"] as? [[String: Any]])?.first)
        let labels = try #require((series["labels"] as? [String: Any])?["labels"] as? [[String: String]])
        #expect(labels.map { $0["name"] } == ["__name__", "host", "job"])
        #expect(labels.last?["value"] == "PushingProgram")
        #expect(try game.end().status == 7)
    }

    @Test("what the store cannot take now is sent again, the same and with the pause that it asks for")
    func again() throws {
        let store = try TestStore(.later(503), .status(429), .status(200))
        let game = try PushingGame(within: [store.url, "1"], environment: Self.sampled)
        try game.ask("make 40000")
        let requests = try (0..<4).map { _ in try store.next() }
        #expect(requests.map(\.status) == [503, 429, 200, 200])
        #expect(requests[0].body == requests[1].body && requests[1].body == requests[2].body)
        #expect(requests[2].body != requests[3].body)
        #expect(requests.allSatisfy { $0.headers["Authorization"] == "Bearer secret" })
        #expect(requests.allSatisfy { $0.query["name"]?.hasPrefix("within{host=") == true })
        let end = try game.end()
        #expect(end.status == 7, "\(end.status) \(end.error)")
    }

    @Test("a refusal is final, and a redirection is one: the token stays with the store")
    func refused() throws {
        let store = try TestStore(.status(302), .status(403), .status(200))
        let game = try PushingGame(within: [store.url, "1"], environment: Self.sampled)
        try game.ask("make 40000")
        let requests = try (0..<3).map { _ in try store.next() }
        #expect(requests.map(\.status) == [302, 403, 200])
        #expect(Set(requests.map(\.body)).count == 3)
        #expect(requests.allSatisfy { $0.path.hasPrefix("/ingest?") })
    }

    /// The store says nothing for ever: what waited for it would never end.
    @Test("the program works and ends while the store is silent")
    func silence() throws {
        let store = try TestStore(.silence)
        let game = try PushingGame(within: [store.url, "1"], environment: Self.sampled)
        try game.ask("make 40000")
        #expect(try store.next().status == 0)
        for _ in 0..<3 { try game.ask("make 10") }
        #expect(try game.ask("fork") == ["threads of the child: 1", "status of the child: 3"])
        let end = try game.end()
        #expect(end.status == 7 && end.output == "4003 cards\n" && end.error.isEmpty, "\(end)")
        #expect(try store.rest().isEmpty)
    }

    @Test("stopping does not wait for a silent store, and nothing is sent afterwards")
    func stop() throws {
        let store = try TestStore(.silence)
        let game = try PushingGame(within: [store.url, "1"], environment: Self.sampled)
        try game.ask("make 40000")
        _ = try store.next()
        try game.ask("stop")
        try game.ask("stop")
        #expect(try game.end().status == 7)
        #expect(try store.rest().isEmpty)
    }

    @Test("a store that is not there costs the program nothing")
    func absent() throws {
        let game = try PushingGame(within: ["http://127.0.0.1:9", "1"], environment: Self.sampled)
        try game.ask("make 40000")
        #expect(try game.ask("state") == ["problem: none"])
        let end = try game.end()
        #expect(end.status == 7 && end.output == "4000 cards\n" && end.error.isEmpty, "\(end)")
    }

    @Test(
        "why nothing is pushed is said once, and the program runs as ever",
        arguments: [
            (["GAMEPROF_PUSH_TO": "store:4040"], "is not an http or https URL of a store"),
            (["GAMEPROF_PUSH_TO": "http://127.0.0.1:9"], "Neither blocks nor CPU time are sampled"),
        ])
    func unconfigured(environment: [String: String], sentence: String) throws {
        let game = try PushingGame(environment: environment)
        let line = try game.errorLine()
        #expect(line.hasPrefix("gameprof: no profiles are pushed. ") && line.contains(sentence), "\(line)")
        try game.ask("make 10")
        let end = try game.end()
        #expect(end.status == 7 && end.output == "1 cards\n" && end.error.isEmpty, "\(end)")
    }

    @Test("pushing leaks nothing in the report of the program")
    func leaks() throws {
        let store = try TestStore()
        let folder = try TemporaryFolder()
        let game = try PushingGame(
            environment: [
                "GAMEPROF": "leaks,time", "GAMEPROF_OUTPUT": folder.url.appending(path: "p.gptrace").path,
                "GAMEPROF_PUSH_TO": store.url, "GAMEPROF_PUSH_SECONDS": "1",
            ])
        try game.ask("make 100")
        for _ in 0..<2 {
            try game.ask("compute")
            #expect(try PprofReader(store.next().body).valueNames == ["samples", "cpu"])
        }
        #expect(try game.end().status == 7)
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, ["report", "p.gptrace", "--json", json.path, "--quiet"], directory: folder.url)
        let report = try Report(json: json)
        let found = report.findings.filter { $0.known == nil }
        #expect(found.isEmpty, "\(found.map(\.message)) \(result.error)")
        #expect(report.capture.instruments.contains(.leaks))
    }
}

/// `PushingProgram` of the linked game's package at work.
final class PushingGame {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let error = Pipe()
    private let lines: LineReader
    private let errors: LineReader
    private let folder: TemporaryFolder

    /// `within`: URL and seconds, for a push that the program begins itself.
    init(within arguments: [String] = [], environment: [String: String]) throws {
        folder = try TemporaryFolder()
        process.executableURL = try LinkedGame.recording.build().appending(path: "PushingProgram")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        var environment = environment
        environment["no_proxy"] = "127.0.0.1"
        process.environment = Command.environment(ProcessInfo.processInfo.environment, adding: environment)
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, error)
        (lines, errors) = (LineReader(output.fileHandleForReading), LineReader(error.fileHandleForReading))
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// What it says until it has done that.
    @discardableResult
    func ask(_ line: String) throws -> [String] {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        var said: [String] = []
        while let next = try? lines.next() {
            if next == "done" { return said }
            said.append(next)
        }
        throw LineReader.NothingCame(before: said.joined(separator: "\n"))
    }

    func errorLine() throws -> String { try errors.next() }

    /// Has it end as it usually does. What else it printed, and its status.
    func end() throws -> (output: String, error: String, status: Int32) {
        try input.fileHandleForWriting.close()
        let rest = try lines.rest().map { $0 + "\n" }.joined()
        process.waitUntilExit()
        return (rest, try errors.rest().joined(separator: "\n"), process.terminationStatus)
    }
}
