@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofCheck
@testable import gameprof

/// Reports to judge.
enum CheckFixture {
    /// A finished recording with these findings.
    static func report(_ findings: [Finding] = [], instruments: [Instrument] = [.allocations, .leaks]) -> Report {
        var report = Report(
            target: Report.Target(executable: "/bin/game", exit: Report.Exit(code: 0), wallSeconds: 1.25),
            capture: Report.Capture(instruments: instruments))
        report.heap = Report.HeapTotals()
        report.findings = findings
        var totals = AllocationCounts()
        (totals.allocations, totals.bytes, totals.liveCount, totals.peakBytes) = (1_000, 64_000, 40, 32_768)
        totals.temporary = 250
        var allocations = Report.Allocations(totals: totals)
        for (type, live) in [("Game.Card", 36), ("Game.Board", 1)] as [(String, UInt64)] {
            var counts = AllocationCounts()
            (counts.allocations, counts.liveCount, counts.liveBytes) = (live * 2, live, live * 48)
            allocations.byType.append(Report.TypeRow(type: type, counts: counts))
        }
        report.allocations = allocations
        return report
    }

    static func finding(
        _ kind: Finding.Kind = .retainCycle, signature: String = "00000000000000a1", count: Int = 1,
        severity: Finding.Severity = .error
    ) -> Finding {
        var finding = Finding(
            kind: kind, severity: severity, signature: signature, title: "Retain cycle: Board ⇄ Card",
            type: "Game.Board")
        finding.message = "Board and Card hold each other, so neither is ever freed."
        finding.count = count
        finding.bytes = 96
        finding.references = [
            Reference(from: "Game.Board", field: "cards", to: "Game.Card"),
            Reference(from: "Game.Card", field: "owner", to: "Game.Board"),
        ]
        finding.allocatedBy = CallStack(frames: [
            CallStack.Frame(function: "swift_allocObject", module: "Swift", origin: .runtime),
            CallStack.Frame(function: "Game.deal()", module: "Game", file: "/src/Game, new/Game.swift", line: 12),
        ])
        return finding
    }

    static func scenario(_ lines: String...) throws -> Budget.Scenario {
        let body = lines.map { "    \($0)\n" }.joined()
        return try Budget.read(yaml: "scenarios:\n  play:\n\(body)", file: "b.yml").scenarios[0]
    }

    static func baseline(_ findings: [Finding] = [], measures: [String: Double] = [:]) -> Baseline.Scenario {
        var baseline = Baseline.Scenario()
        baseline.findings = findings.map(Baseline.Entry.init)
        baseline.measures = measures
        return baseline
    }
}
