import Foundation
import Testing

@testable import GameprofAnalysis

/// Long runs of what goes wrong once in a thousand times: `make soak`.
@Suite(.enabled(if: LongTests.soak))
struct SoakTests {
    /// Cases of `Scheduled` in which nothing runs beside the main thread.
    private static let alone: Set = [
        "work-item", "token-in-default-center", "token-in-own-center", "unscheduled-timer", "operation",
        "completion-block", "mutable-array", "queue-specific", "dispatch-data",
    ]

    /// Cases whose outcome depends on where the threads stand when the heap is frozen.
    static let concurrent = (ShapeCase.trueNegatives + ShapeCase.scheduled + ShapeCase.concurrency)
        .filter { $0.program == .concurrency || ($0.program == .scheduled && !alone.contains($0.argument)) }

    /// Fifty in each build. The first of each compares the program's output with what it prints alone.
    @Test(arguments: concurrent)
    func `a hundred repetitions say the same`(_ shape: ShapeCase) throws {
        for number in 0..<50 {
            for build in SwiftProgram.Build.usual { try ShapeCheck.run(shape, in: build, again: number > 0) }
        }
    }

    /// A snapshot that could not stop every thread in time, on a machine that is busy, must say so; it is not counted.
    @Test(arguments: SwiftProgram.Build.usual)
    func `three hundred snapshots of a busy program claim nothing and change nothing`(
        _ build: SwiftProgram.Build
    ) throws {
        let program = try SwiftProgram.compile(files: ["Snapshots.swift"], module: "Snapshots", build: build)
        var sound = 0
        while sound < 300 {
            let folder = try TemporaryFolder()
            let json = folder.url.appending(path: "report.json")
            let result = try Command.run(
                Products.gameprof,
                ["leaks", "--quiet", "--snapshot-at", "0.01", "--json", json.path, "--", program.path, "busy", "10"])
            let report = try Report(json: json)
            #expect(report.findings.filter { $0.severity == .error }.map(\.message) == [])
            let late = (report.snapshots ?? []).compactMap(\.problem)
            #expect(late.allSatisfy { $0.contains("did not stop in time") || $0.contains("not every thread stopped") })
            #expect(report.capture.problems.count == late.count, "\(report.capture.problems)")
            #expect(result.output == "done\n")
            #expect(result.status == 0 || !late.isEmpty, "\(result.error)")
            let counted = (report.snapshots?.count ?? 0) - late.count
            try #require(counted > 1)
            sound += counted
        }
    }

    /// What is the same in every run of a program.
    private static func constant(_ finding: Finding) -> [String] {
        let whole = [
            finding.kind.rawValue, finding.severity.rawValue, finding.signature, finding.title, "\(finding.count)",
        ]
        let references = finding.references.map { "\($0.from).\($0.path) → \($0.to)" }
        return whole + references + (finding.fixes ?? [finding.fix ?? ""]) + (finding.heldBy ?? [])
    }

    @Test(arguments: [
        "attribute-leak", "card-cache", "delegate-cycle", "descriptor-leak", "dialog-cycle", "malloc-leak",
        "observer-cycle", "observer-growth", "retain-cycle", "sensor-cycle", "temporary-peak", "timer-cycle",
        "tree-cycle",
        "undo-cycle",
    ])
    func `ten runs of a fault have one report`(_ fault: String) throws {
        let games = Products.GameLabBuild.release.executable
        let reports = try (0..<10).map { _ in
            try RecordedReport.leaks(of: games, ["fault", fault]).report.findings.map(Self.constant)
        }
        #expect(Set(reports).count == 1, "\(Set(reports))")
    }
}
