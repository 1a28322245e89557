import Foundation
import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofCheck

struct StoreRequestTests {
    private let profile = TimeFixture.game.profile().only(.computing)

    private func request(
        _ store: ProfileStore, to base: String = "http://store:4040", service: String = "game",
        labels: [String: String] = [:]
    ) throws -> StoreRequest {
        try StoreDestination(base, store: store, service: service, labels: labels).request(StoredProfile(profile))
    }

    /// The parameters are those of Pyroscope's server API, `POST /ingest`. With `format=pprof` its handler takes the body for the
    /// profile itself (pkg/ingester/pyroscope/ingest_handler.go), also where the body is a form.
    @Test("Pyroscope gets name, labels, times and format in the query, and the profile as the body")
    func pyroscope() throws {
        let request = try request(.pyroscope, to: "https://store/base/", labels: ["env": "prod", "version": "1.2 ü"])
        let parts = try #require(URLComponents(string: request.url))
        #expect(parts.scheme == "https" && parts.path == "/base/ingest")
        let query = Dictionary(
            (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
        #expect(query["name"] == "game{env=prod,version=1.2 ü}")
        #expect(query["format"] == "pprof" && query["spyName"] == "gameprof")
        let (from, until) = (
            try #require(query["from"].flatMap { Int($0) }), try #require(query["until"].flatMap { Int($0) })
        )
        #expect(from == Int(profile.startUnixNanoseconds / 1_000_000_000) && until > from)
        #expect(request.headers.map(\.value) == ["application/octet-stream"])
        #expect(request.body == PprofExport.render(profile))
    }

    /// The message is `WriteRawRequest` of parca/profilestore/v1alpha1/profilestore.proto.
    @Test("Parca gets labels and the compressed profile in the JSON of its message")
    func parca() throws {
        let request = try request(.parca, labels: ["env": "prod, a=\"b\""])
        #expect(request.url == "http://store:4040/api/profiles/writeraw")
        #expect(request.headers.map(\.value) == ["application/json"])
        let json = try #require(JSONSerialization.jsonObject(with: request.body) as? [String: Any])
        let series = try #require((json["series"] as? [[String: Any]])?.first)
        let labels = try #require((series["labels"] as? [String: Any])?["labels"] as? [[String: String]])
        #expect(labels.map { $0["name"] } == ["__name__", "env", "job"])
        #expect(labels.map { $0["value"] } == ["process_cpu", "prod, a=\"b\"", "game"])
        let sample = try #require((series["samples"] as? [[String: String]])?.first?["rawProfile"])
        let raw = try #require(Data(base64Encoded: sample))
        #expect(raw == Data(Gzip.stored(Array(PprofExport.render(profile)))))
        #expect(json["normalized"] as? Bool == true)
    }

    @Test("compressed data is what gzip reads", arguments: [0, 1, 65_535, 65_536, 200_000])
    func gzip(count: Int) throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).gz")
        defer { try? FileManager.default.removeItem(at: path) }
        try Data(Gzip.stored(Array(data))).write(to: path)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", path.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        #expect(try pipe.fileHandleForReading.readToEnd() ?? Data() == data)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test(
        "what is no URL of a store is refused",
        arguments: ["", "store:4040", "ftp://store", "http://", "http://a/?b=c", "http://a/#x", "file:///etc/passwd"])
    func urls(base: String) {
        #expect(throws: StoreRequestError.self) { try request(.pyroscope, to: base) }
    }

    @Test(
        "labels that would change the meaning of the request are refused", arguments: ["a,b=c", "x}", "\"", "", "a\nb"])
    func labelValues(value: String) {
        #expect(throws: StoreRequestError.self) { try request(.pyroscope, labels: ["env": value]) }
        #expect(throws: StoreRequestError.self) { try request(.pyroscope, service: value) }
    }

    @Test("names of labels are letters, digits and underscores", arguments: ["__name__", "a-b", "1a", "", "ü"])
    func labelNames(name: String) {
        #expect(throws: StoreRequestError.self) { try request(.parca, labels: [name: "x"]) }
    }
}

struct PushAttemptsTests {
    private final class FakeClock {
        var now = 0.0
        var pauses: [Double] = []
    }

    private func run(
        _ answers: [StoreAnswer], budget: Double = 60, took: Double = 0
    ) -> (PushAttempts.Outcome, pauses: [Double], sent: Int) {
        let time = FakeClock()
        let clock = PushAttempts.Clock(
            now: { time.now },
            wait: {
                time.now += $0
                time.pauses.append($0)
            }, random: { 1 })
        var sent = 0
        let outcome = PushAttempts(budget: budget).run(clock: clock) { _ in
            sent += 1
            time.now += took
            return answers[min(sent - 1, answers.count - 1)]
        }
        return (outcome, time.pauses, sent)
    }

    @Test("what the store cannot take now is sent again after a growing pause")
    func backOff() {
        let result = run([
            .failure(7), .status(503, retryAfter: nil), .status(429, retryAfter: nil), .status(200, retryAfter: nil),
        ])
        #expect(result.0 == .delivered && result.sent == 4 && result.pauses == [0.5, 1, 2])
    }

    @Test("a refusal is final", arguments: [400, 401, 403, 404, 413, 422, 302])
    func refused(status: Int) {
        let result = run([.status(status, retryAfter: nil)])
        #expect(result.0 == .refused(status) && result.sent == 1)
    }

    @Test("the pause that the store asks for is kept, and none beyond the time for everything")
    func retryAfter() {
        #expect(run([.status(429, retryAfter: 20), .status(204, retryAfter: nil)]).pauses == [20])
        let long = run([.status(429, retryAfter: 3_600)])
        #expect(long.0 == .postponed(status: 429, seconds: 3_600) && long.pauses.isEmpty)
        #expect(run([.status(503, retryAfter: -5), .status(200, retryAfter: nil)]).pauses == [0.5])
    }

    @Test("attempts end with the time, and after eight")
    func bounded() {
        let slow = run([.failure(28)], budget: 10, took: 4)
        #expect(slow.0 == .timeOver(.failure(28)) && slow.sent == 3)
        #expect(run([.failure(7)], budget: 86_400).sent == 8)
    }
}
