import Foundation
import GameprofHeap
import GameprofTestSupport
import Testing

@Suite struct ServedFiguresTests {
    private static let sampled = ["GAMEPROF": "allocations,time", "GAMEPROF_SAMPLE": "2k;seed=7"]

    private static func isPicture(_ sample: PprofReader.Sample) -> Bool {
        sample.labels["type"] == "[Swift.UInt8]" && sample.functions.contains { $0.contains("PictureLoader.decode(") }
    }

    @Test func aRunningGameServesItsHeapByFunctionAndType() throws {
        let game = try ServingGame(environment: Self.sampled)
        let answer = try #require(
            try game.get("/debug/pprof/heap") { answer in
                guard answer.status == 200 else { return false }
                let profile = try PprofReader(answer.body)
                return profile.sum("alloc_objects") > 100_000 && profile.samples.contains(where: Self.isPicture)
            })
        #expect(answer.head.contains("\r\nContent-Type: application/octet-stream\r\n"))
        let profile = try PprofReader(answer.body)
        #expect(profile.valueNames == ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"])
        #expect(profile.shown == "inuse_space" && profile.period == 2048)
        #expect(profile.mappings.first?.file.hasSuffix("/AnimatedGame") == true)
        #expect(profile.samples.allSatisfy { $0.values["alloc_space"] ?? 0 >= $0.values["inuse_space"] ?? 0 })
        #expect(profile.samples.contains { $0.functions.contains { $0.hasPrefix("Scene.simulate(") } })
        #expect(
            profile.samples.allSatisfy { $0.functions.first != "malloc" && $0.functions.first != "swift_allocObject" })
        #expect(try PprofReader(#require(game.address.get("/debug/pprof/allocs")).body).shown == "alloc_space")
    }

    @Test("fifty requests for the heap map no image once more")
    func mappings() throws {
        let game = try ServingGame(environment: Self.sampled)
        func images() throws -> [String: Int] {
            let maps = try #require(ProcessFacts.text("/proc/\(game.processID)/maps"))
            let paths = maps.split(separator: "\n").compactMap { $0.split(separator: " ").last }
            return Dictionary(paths.filter { $0.hasPrefix("/") }.map { (String($0), 1) }, uniquingKeysWith: +)
        }
        _ = game.get("/debug/pprof/heap") { answer in
            (try? PprofReader(answer.body))?.samples.contains(where: Self.isPicture) == true
        }
        let before = try images()
        for _ in 0..<50 { #expect(game.address.get("/debug/pprof/heap")?.status == 200) }
        // A stack may lead into an image that none has led into before.
        let grown = try images().filter { image, count in count > (before[image] ?? 0) + 1 }
        #expect(grown.isEmpty, "\(grown)")
    }

    @Test func aRunningGameServesItsCPUTime() throws {
        let game = try ServingGame(environment: Self.sampled)
        let answer = try #require(game.address.get("/debug/pprof/profile?seconds=2"))
        #expect(answer.status == 200)
        let profile = try PprofReader(answer.body)
        #expect(profile.sum("samples") > 0)
        #expect(profile.sum("cpu") == profile.sum("samples") * profile.period)
        #expect(profile.samples.contains { $0.functions.last == "_start" || $0.functions.contains("main") })
        // A client that leaves does not keep others from a profile.
        if let descriptor = game.address.connect() {
            _ = "GET /debug/pprof/profile?seconds=300 HTTP/1.0\r\n\r\n".withCString {
                send(descriptor, $0, strlen($0), 0x4000)
            }
            close(descriptor)
        }
        #expect(game.get("/debug/pprof/profile?seconds=1") { $0.status == 200 } != nil)
        // And once more: the count begins anew.
        let again = try PprofReader(#require(game.address.get("/debug/pprof/profile?seconds=1")).body)
        #expect(again.sum("samples") > 0)
    }

    @Test func aRunningGameServesMetrics() throws {
        let game = try ServingGame(environment: Self.sampled)
        let answer = try #require(game.get("/metrics") { $0.text.contains("loop=\"frame\",le=\"+Inf\"} 1") })
        #expect(answer.head.contains("Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"))
        #expect(answer.text.hasSuffix("\n# EOF\n"))
        #expect(answer.text.contains("\ngameprof_live_bytes{type=\"[Swift.UInt8]\"} "))
        #expect(answer.text.contains("\ngameprof_allocated_bytes_total "))
        #expect(answer.text.contains("\nprocess_resident_memory_bytes "))
    }

    @Test func withoutARecordingTheAnswersSayWhatIsMissing() throws {
        let game = try ServingGame(environment: [:])
        for target in ["/debug/pprof/heap", "/debug/pprof/profile?seconds=1"] {
            let answer = try #require(game.address.get(target))
            #expect(answer.status == 503)
            #expect(answer.text.contains("GAMEPROF=allocations"))
        }
        let metrics = try #require(game.get("/metrics") { $0.text.contains("le=\"+Inf\"} 1") })
        #expect(!metrics.text.contains("gameprof_live_bytes"))
        #expect(try #require(game.address.get("/debug/pprof/cmdline")).text.contains("AnimatedGame\0"))
        #expect(try #require(game.address.get("/debug/pprof/")).text.contains("href=\"heap\""))
        #expect(try #require(game.address.get("/nothing")).status == 404)
    }

    @Test func theGamePlaysTheSameWhileItsFiguresAreAskedFor() throws {
        let alone = try Command.run(Products.animatedGame, ["90"])
        let game = try ServingGame(frames: 90, environment: Self.sampled)
        while game.address.get("/debug/pprof/heap") != nil { _ = game.address.get("/metrics") }
        let end = try game.end()
        #expect(end.status == 0)
        #expect(end.output == alone.output)
    }

    @Test func clientsThatSayNothingOrNonsenseDoNoHarm() throws {
        let game = try ServingGame(environment: Self.sampled)
        let idle = (0..<2).compactMap { _ in game.address.connect() }
        defer { for one in idle { close(one) } }
        for (nonsense, status) in [("\r\n\r\n", 400), ("GET\r\n\r\n", 400), ("POST / HTTP/1.1\r\n\r\n", 405)] {
            #expect(game.address.send(nonsense)?.status == status)
        }
        // Too long to be read to its end: the connection is closed.
        #expect(game.address.send(String(repeating: "x", count: 100_000))?.status == nil)
        let rebound = game.address.send("GET /metrics HTTP/1.1\r\nHost: attacker.example\r\n\r\n")
        #expect(rebound?.status == 421 && rebound?.body.isEmpty == true)
        for _ in 0..<20 {
            // Gone before the answer comes.
            guard let descriptor = game.address.connect() else { continue }
            _ = "GET /debug/pprof/heap HTTP/1.0\r\n\r\n".withCString { send(descriptor, $0, strlen($0), 0x4000) }
            close(descriptor)
        }
        let crowd = (0..<30).compactMap { _ in game.address.connect() }
        for one in crowd { close(one) }
        #expect(game.get("/metrics") { $0.status == 200 } != nil)
    }

    /// Connected clients that have sent `text`.
    private static func clients(_ count: Int, of game: ServingGame, sent text: String) -> [CInt] {
        (0..<count).compactMap { _ in
            guard let descriptor = game.address.connect() else { return nil }
            _ = text.withCString { send(descriptor, $0, strlen($0), 0x4000) }
            return descriptor
        }
    }

    /// Whether the other end has not closed it.
    private static func isOpen(_ descriptor: CInt) -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)) < 0 && errno == EAGAIN
    }

    @Test(
        "clients that send nothing or half a request are passed by, and the latest of them wait on",
        arguments: [(1000, 0), (0, 20), (1000, 20)])
    func crowd(idle: Int, half: Int) throws {
        let folder = try TemporaryFolder()
        for place in ["0", folder.url.appending(path: "figures").path] {
            let game = try ServingGame(place: place, environment: [:])
            // Once more where the machine stood still for longer than a client may.
            let isPassedBy = (0..<5).contains { _ in
                let clients =
                    Self.clients(idle, of: game, sent: "")
                    + Self.clients(half, of: game, sent: "GET /metrics HTTP/1.1\r\nHost:")
                defer { for one in clients { close(one) } }
                return clients.count == idle + half && game.address.get("/metrics")?.status == 200
                    && clients.suffix(15).allSatisfy(Self.isOpen)
            }
            #expect(isPassedBy)
        }
    }

    @Test func aSocketFileIsForThisUserAloneAndInUseByOneGame() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "figures").path
        let killed = try? ServingGame(place: path, environment: [:])
        #expect(killed?.address == .socket(path))
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        // In use: a second game says so and is played all the same.
        let second = try Command.run(Products.animatedGame, ["1", "--serve", path])
        #expect(second.status == 0 && second.error.contains("cannot be offered at \(path): Address already in use."))
        #expect(killed?.address.get("/metrics")?.status == 200)
    }

    @Test func anAbandonedSocketFileIsReplacedAndAnotherFileIsNot() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "figures").path
        do { _ = try ServingGame(place: path, environment: [:]) }
        #expect(FileManager.default.fileExists(atPath: path))
        let game = try ServingGame(frames: 60, place: path, environment: [:])
        #expect(game.address.get("/metrics")?.status == 200)
        #expect(try game.end().status == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data("kept".utf8).write(to: URL(filePath: path))
        let other = try Command.run(Products.animatedGame, ["1", "--serve", path])
        #expect(other.status == 0 && other.error.contains("cannot be offered"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
    }
}
