import Testing

@testable import InstrumentationServing

@Suite struct MetricsTests {
    private static func row(_ type: String, bytes: Double, samples: UInt64 = 4) -> HeapFigures.Row {
        var row = HeapFigures.Row(stack: 1, type: type)
        row.live = SampleSum(
            samples: samples, observed: 64, count: bytes / 16, bytes: bytes, countVariance: bytes,
            bytesVariance: bytes * 4096)
        return row
    }

    private static func figures(_ rows: [HeapFigures.Row], unreachable: UInt64? = nil) -> HeapFigures {
        HeapFigures(
            mean: 4096, allocated: rows.reduce(SampleSum()) { $0 + $1.live }, rows: rows, unreachable: unreachable)
    }

    @Test(
        "a type's name comes back as it was, whatever it holds",
        arguments: [
            "Game.Board", "a\"b", "a\\", "line\nline", "\\n", "}", "{x=\"y\"} 5\n# EOF\n", "Ünïcode.Typ🎲<Int>",
            "e\u{301}\"\u{301}", "",
        ])
    func hostileNames(name: String) throws {
        let text = Metrics.text(Self.figures([Self.row(name, bytes: 5000)]), [], listedTypes: 10)
        let live = try OpenMetricsReader(text).samples("gameprof_live_bytes")
        #expect(
            live.map { Array($0.labels["type"]?.unicodeScalars ?? "?".unicodeScalars) } == [Array(name.unicodeScalars)])
        #expect(live.map(\.value) == [5000])
    }

    @Test func controlCharactersAreNotPassedOn() throws {
        let text = Metrics.text(Self.figures([Self.row("a\u{1b}[31m\0b\r", bytes: 1)]), [], listedTypes: 10)
        let type = try OpenMetricsReader(text).samples("gameprof_live_bytes").first?.labels["type"]
        #expect(type == "a\u{fffd}[31m\u{fffd}b\u{fffd}")
    }

    @Test func typesBeyondTheListAreAddedUp() throws {
        let rows = (1...10).map { Self.row("T\($0)", bytes: Double($0) * 1000) }
        let metrics = try OpenMetricsReader(Metrics.text(Self.figures(rows), [], listedTypes: 3))
        let live = metrics.samples("gameprof_live_bytes")
        #expect(live.map { $0.labels["type"] } == ["T10", "T9", "T8", "(other)"])
        #expect(live.map(\.value).reduce(0, +) == 55_000)
        let low = metrics.samples("gameprof_live_low_bytes")
        let high = metrics.samples("gameprof_live_high_bytes")
        for (estimate, (low, high)) in zip(live, zip(low, high)) {
            #expect(low.labels == estimate.labels && high.labels == estimate.labels)
            #expect(low.value < estimate.value && estimate.value < high.value)
        }
    }

    @Test func framesAreAHistogram() throws {
        let loops = [
            FrameTimes(
                loop: "main \"loop\"", frames: 10, nanoseconds: 161_000_000_007,
                buckets: [(1_000_000, 2), (16_700_000, 5), (1_000_000_000, 1)])
        ]
        let metrics = try OpenMetricsReader(Metrics.text(nil, loops, listedTypes: 3))
        let buckets = metrics.samples("gameprof_frame_seconds_bucket")
        #expect(buckets.map { $0.labels["le"] } == ["0.001", "0.0167", "1.0", "+Inf"])
        #expect(buckets.map(\.value) == [2, 7, 8, 10])
        #expect(buckets.allSatisfy { $0.labels["loop"] == "main \"loop\"" })
        #expect(metrics.samples("gameprof_frame_seconds_sum").map(\.value) == [161.000000007])
    }

    @Test func unreachableBlocksAreSaidOnlyWhenKnown() throws {
        let known = try OpenMetricsReader(Metrics.text(Self.figures([], unreachable: 0), [], listedTypes: 3))
        #expect(known.samples("gameprof_unreachable_blocks").map(\.value) == [0])
        let unknown = try OpenMetricsReader(Metrics.text(Self.figures([]), [], listedTypes: 3))
        #expect(unknown.samples("gameprof_unreachable_blocks").isEmpty)
        #expect(unknown.samples("process_resident_memory_bytes").allSatisfy { $0.value > 0 })
    }

    @Test(
        "the reader refuses what the format does not permit",
        arguments: [
            "a 1\n", "# TYPE a gauge\n# HELP a h\na 1\n", "# TYPE a gauge\n# HELP a h\na{b=\"\\x\"} 1\n# EOF\n",
            "# TYPE a counter\n# HELP a h\na 1\n# EOF\n", "# TYPE a gauge\n# HELP a h\na{b=\"x} 1\n# EOF\n",
            "# TYPE a gauge\n# UNIT a bytes\n# HELP a h\na 1\n# EOF\n", "# TYPE a gauge\n# HELP a h\na 1\na 1\n# EOF\n",
            "# TYPE a gauge\n# HELP a h\na 1\n\n# EOF\n", "# TYPE a gauge\n# HELP a h\nb 1\n# EOF\n",
            "# TYPE a histogram\n# HELP a h\na_bucket{le=\"1.0\"} 2\na_sum 1\na_count 2\n# EOF\n",
        ])
    func strictReader(text: String) {
        #expect(throws: OpenMetricsReader.Fault.self) { try OpenMetricsReader(text) }
    }
}
