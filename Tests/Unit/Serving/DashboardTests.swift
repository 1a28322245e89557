import Foundation
import GameprofTestSupport
import Testing

@testable import InstrumentationServing

@Suite struct DashboardTests {
    private static let file = Repository.file("Examples/Monitoring/grafana/dashboards/running-game.json")

    private static func served() throws -> [OpenMetricsReader.Family] {
        let row = HeapFigures.Row(stack: 1, type: "T", live: SampleSum(samples: 1, count: 1, bytes: 1))
        let heap = HeapFigures(mean: 1, allocated: row.live, rows: [row], unreachable: 1)
        let loop = FrameTimes(loop: "frame", frames: 1, nanoseconds: 1, buckets: [(1_000_000, 1)])
        return try OpenMetricsReader(Metrics.text(heap, [loop], listedTypes: 1)).families
    }

    @Test func theDashboardAsksForMetricsThatAreServed() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let asked = Set(text.matches(of: #/(?:gameprof|process)_[a-z_]+(?=[{,])/#).map { String($0.output) })
        let served = Set(try Self.served().flatMap { $0.samples.map(\.name) })
        #expect(asked.subtracting(served).isEmpty)
        #expect(
            asked.isSuperset(of: ["gameprof_live_bytes", "gameprof_frame_seconds_bucket", "process_cpu_seconds_total"]))
    }

    @Test func theDocumentationNamesEveryMetric() throws {
        let text = try String(contentsOf: Repository.file("Documentation/Production.md"), encoding: .utf8)
        for family in try Self.served() { #expect(text.contains("`\(family.name)"), "\(family.name)") }
    }
}
