import Foundation
import GameprofBasics

/// The fields of `report.schema.json` that a history keeps.
struct ReportJSON: Decodable {
    struct Target: Decodable {
        struct Exit: Decodable { var signal: Int? }
        var executable: String
        var exit: Exit?
        var wallSeconds: Double
    }
    struct Capture: Decodable {
        var instruments: [String]
        var dropped: Double
        var truncated: Bool
    }
    struct Finding: Decodable {
        var kind: String
        var severity: String
        var signature: String
        var title: String
        var count: Int64
        var bytes: Int64
    }
    struct Allocations: Decodable {
        struct Totals: Decodable {
            struct Sampled: Decodable {}
            var allocations, bytes, liveCount, liveBytes, peakBytes, temporary: Double
            /// The counts are estimates.
            var sampled: Sampled?
        }
        var totals: Totals
    }
    struct Heap: Decodable { var leakedBytes: Double }
    struct Hotspots: Decodable { var cpuSeconds: Double }
    struct Durations: Decodable {
        var count, p50, p95, p99, max: Double
        var allocations: Double?
        var name: String?
    }
    struct Frames: Decodable {
        var name: String
        var durations: Durations
        var allocations: Double
    }

    var target: Target
    var capture: Capture
    var findings: [Finding]
    var allocations: Allocations?
    var heap: Heap?
    var hotspots: Hotspots?
    var probes: [Durations]?
    var frames: [Frames]?

    func scenario(named name: String?) -> ResultFile.Scenario {
        let program = target.executable.split(separator: "/").last.map(String.init) ?? target.executable
        return ResultFile.Scenario(
            name: name ?? program, instruments: Set(capture.instruments),
            isComplete: capture.dropped == 0 && !capture.truncated && target.exit?.signal == nil,
            wallSeconds: target.wallSeconds, findings: Self.joined(findings), figures: figures)
    }

    /// One row of each signature: processes may have the same defect. Notes are no defects.
    static func joined(_ findings: [Finding]) -> [Run.Finding] {
        var rows: [String: Run.Finding] = [:]
        for finding in findings where finding.severity != "note" {
            var row =
                rows[finding.signature]
                ?? Run.Finding(
                    signature: finding.signature, kind: finding.kind, severity: finding.severity, title: finding.title,
                    count: 0, bytes: 0)
            row.count.add(clamping: finding.count)
            row.bytes.add(clamping: finding.bytes)
            rows[finding.signature] = row
        }
        return rows.values.sorted { $0.signature < $1.signature }
    }

    /// The names are those of a budget's measures (`Sources/Profiler/Check/Measure.swift`), and `cpu`, `leaked-bytes`.
    private var figures: [Run.Figure] {
        var result: [Run.Figure] = []
        func add(_ name: String, _ unit: MeasureUnit, _ value: Double) {
            result.append(Run.Figure(name: name, unit: unit, values: [value]))
        }
        if let totals = allocations?.totals, totals.sampled == nil {
            add("allocations", .count, totals.allocations)
            add("allocated-bytes", .bytes, totals.bytes)
            add("live", .count, totals.liveCount)
            add("live-bytes", .bytes, totals.liveBytes)
            add("peak", .bytes, totals.peakBytes)
            add("temporary", .count, totals.temporary)
        }
        if let heap { add("leaked-bytes", .bytes, heap.leakedBytes) }
        if let hotspots { add("cpu", .nanoseconds, hotspots.cpuSeconds * 1e9) }
        for loop in (frames ?? []).prefix(8) {
            for (figure, value) in [
                ("p50", loop.durations.p50), ("p95", loop.durations.p95), ("p99", loop.durations.p99),
            ] {
                add("frames/\(loop.name)/\(figure)", .nanoseconds, value)
            }
            let frames = max(1, loop.durations.count)
            add("frames/\(loop.name)/allocations", .count, loop.allocations / frames)
        }
        for probe in (probes ?? []).prefix(16) {
            add("probes/\(probe.name ?? "")/p95", .nanoseconds, probe.p95)
        }
        var names: Set<String> = []
        return result.filter { names.insert($0.name).inserted }
    }
}

/// The fields of `check.schema.json` that a history keeps.
struct CheckJSON: Decodable {
    struct Scenario: Decodable {
        struct Evaluated: Decodable {
            var status: String
            var finding: ReportJSON.Finding
        }
        struct Figure: Decodable {
            var measure: String
            var unit: MeasureUnit
            var values: [Double]
        }

        var name: String
        var outcome: String
        var target: ReportJSON.Target
        var instruments: [String]
        var findings: [Evaluated]
        var figures: [Figure]?

        var scenario: ResultFile.Scenario {
            ResultFile.Scenario(
                name: name, instruments: Set(instruments), isComplete: outcome != "incomplete" && !instruments.isEmpty,
                wallSeconds: target.wallSeconds,
                findings: ReportJSON.joined(findings.filter { $0.status != "known" }.map(\.finding)),
                figures: (figures ?? []).map { Run.Figure(name: $0.measure, unit: $0.unit, values: $0.values) })
        }
    }

    var scenarios: [Scenario]
}
