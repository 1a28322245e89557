import Foundation
import Testing

/// A running game, read by those whose formats these are.
@Suite(.serialized, .enabled(if: LongTests.field)) struct ServedFiguresFieldTests {
    private static let sampled = ["GAMEPROF": "allocations,time", "GAMEPROF_SAMPLE": "16k"]

    private static func url(_ game: ServingGame) throws -> String {
        guard case .port(let port) = game.address else { throw ServingGame.NotServing(said: "no port") }
        return "http://127.0.0.1:\(port)"
    }

    @Test func goReadsHeapAndCPUTimeOfARunningGame() throws {
        let game = try ServingGame(environment: Self.sampled)
        _ = try #require(game.get("/metrics") { $0.text.contains("gameprof_live_bytes{type=\"[Swift.UInt8]\"}") })
        func go(_ arguments: String...) throws -> CommandResult {
            let folder = try TemporaryFolder()
            return try Command.run(
                URL(filePath: "/usr/bin/env"), ["go", "tool", "pprof"] + arguments,
                environment: ["PPROF_TMPDIR": folder.url.path])
        }
        let allocations = try go(
            "-top", "-cum", "-nodefraction=0", "-nodecount=1000", "-sample_index=alloc_space",
            Self.url(game) + "/debug/pprof/allocs")
        #expect(allocations.status == 0, "\(allocations.error)")
        #expect(allocations.output.contains("File: AnimatedGame"))
        #expect(allocations.output.contains("Scene.simulate("))
        let types = try go("-tags", Self.url(game) + "/debug/pprof/heap")
        #expect(types.status == 0 && types.output.contains(" type: Total "), "\(types.error)")
        #expect(types.output.contains("[Swift.UInt8]"))
        let time = try go("-top", "-cum", Self.url(game) + "/debug/pprof/profile?seconds=2")
        #expect(time.status == 0 && time.output.contains("Type: cpu"), "\(time.error)")
        #expect(time.output.contains("static AnimatedGame.main()"))
    }

    @Test func prometheusScrapesARunningGame() throws {
        let game = try ServingGame(environment: Self.sampled)
        let folder = try TemporaryFolder()
        let target = try Self.url(game).dropFirst("http://".count)
        let configuration = folder.url.appending(path: "prometheus.yml")
        try Data(
            """
            global: { scrape_interval: 1s }
            scrape_configs:
              - job_name: game
                static_configs: [{ targets: ["\(target)"] }]
            """.utf8
        ).write(to: configuration)
        let log = folder.url.appending(path: "log")
        try Data().write(to: log)
        let prometheus = Process()
        prometheus.executableURL = URL(filePath: "/usr/bin/env")
        let port = UInt16.random(in: 20_000..<30_000)
        prometheus.arguments = [
            "prometheus", "--config.file=\(configuration.path)",
            "--storage.tsdb.path=\(folder.url.appending(path: "data").path)", "--web.listen-address=127.0.0.1:\(port)",
        ]
        prometheus.standardOutput = FileHandle.nullDevice
        prometheus.standardError = try FileHandle(forWritingTo: log)
        try prometheus.run()
        defer {
            prometheus.terminate()
            prometheus.waitUntilExit()
        }
        let store = ServedAddress.port(port)
        func ask(_ query: String, until isRight: (Double) -> Bool) -> Double? {
            let escaped = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            for _ in 0..<600 {
                if let answer = store.get("/api/v1/query?query=\(escaped)"), let value = Self.value(answer.body),
                    isRight(value)
                {
                    return value
                }
                usleep(100_000)
            }
            return nil
        }
        #expect(ask("up", until: { $0 == 1 }) == 1, "\((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
        #expect(ask("gameprof_live_bytes{type=\"[Swift.UInt8]\"}", until: { $0 > 0 }) != nil)
        #expect(ask("sum(rate(gameprof_allocated_bytes_total[10s]))", until: { $0 > 0 }) != nil)
        #expect(ask("histogram_quantile(0.5, rate(gameprof_frame_seconds_bucket[10s]))", until: { $0 > 0.01 }) != nil)
        let expressions = try Self.dashboard().map { expression in
            expression.replacing("$job", with: "game").replacing("$instance", with: String(target))
                .replacing("$loop", with: ".*").replacing("$__rate_interval", with: "10s")
        }
        #expect(expressions.count >= 10)
        // Nothing is unreachable where leaks are not recorded.
        for expression in expressions where !expression.hasPrefix("gameprof_unreachable") {
            #expect(ask(expression, until: { _ in true }) != nil, "\(expression)")
        }
        let metadata = store.get("/api/v1/metadata?metric=gameprof_frame_seconds")?.text
        #expect(
            metadata?.contains("\"type\":\"histogram\"") == true && metadata?.contains("\"unit\":\"seconds\"") == true)
    }

    /// The expressions that the dashboard of Examples/Monitoring asks Prometheus for.
    private static func dashboard() throws -> [String] {
        struct Board: Decodable { var panels: [Panel] }
        struct Panel: Decodable { var targets: [Target] }
        struct Target: Decodable { var expr: String? }
        let file = Products.package.appending(path: "Examples/Monitoring/grafana/dashboards/running-game.json")
        return try JSONDecoder().decode(Board.self, from: Data(contentsOf: file)).panels.flatMap(\.targets)
            .compactMap(\.expr)
    }

    /// Of a query's first series.
    private static func value(_ body: Data) -> Double? {
        struct Answer: Decodable {
            struct Results: Decodable { var result: [Series] }
            struct Series: Decodable { var value: [Scalar] }
            var data: Results
        }
        struct Scalar: Decodable {
            var number: Double?

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                number = (try? container.decode(Double.self)) ?? Double((try? container.decode(String.self)) ?? "")
            }
        }
        return (try? JSONDecoder().decode(Answer.self, from: body))?.data.result.first?.value.last?.number
    }
}
