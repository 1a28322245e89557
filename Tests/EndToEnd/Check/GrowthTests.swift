import Foundation
import Testing

@testable import GameprofAnalysis

/// What accumulates from game to game is warned of with its type and who makes it; healthy games are not.
@Suite struct GrowthTests {
    @Test(
        arguments: [
            ("card-cache", "GameLab.CardImage", "CardCache.image(forType:game:)", "CardImage", Finding.Kind.growth),
            (
                "observer-growth", "GameLab.GameScreen", "ObserverGrowth.openScreen(_:puzzle:)", "GameScreen",
                Finding.Kind.abandoned
            ),
        ], [Products.GameLabBuild.debug, .release])
    func `a fault that lets memory grow is a warning`(
        _ fault: (name: String, type: String, maker: String, held: String, kind: Finding.Kind),
        in build: Products.GameLabBuild
    ) throws {
        let recording = try RecordedReport.leaks(of: build.executable, ["fault", fault.name])
        let growth = recording.report.findings.filter { $0.kind == fault.kind }
        #expect(growth.map(\.type) == [fault.type], "\(growth.map(\.message))")
        #expect(growth.allSatisfy { $0.severity == .warning && $0.isAllocated(by: fault.maker) })
        #expect(growth.first?.heldBy?.last == fault.held, "\(String(describing: growth.first?.heldBy))")
        #expect(recording.status == 0)
    }

    @Test func `what is lost is not told again as growth`() throws {
        let release = Products.GameLabBuild.release.executable
        for fault in ["malloc-leak", "dialog-cycle", "tree-cycle"] {
            let recording = try RecordedReport.leaks(of: release, ["fault", fault, "--presses", "300"])
            #expect(recording.report.errors.first.map { $0.count >= 300 } == true, "\(fault)")
            #expect(!recording.report.findings.contains { $0.kind == .growth }, "\(fault)")
        }
    }

    @Test func `long healthy games do not grow`() throws {
        let release = Products.GameLabBuild.release.executable
        let recording = try RecordedReport.leaks(of: release, ["play", "both", "--games", "40", "--seed", "9"])
        #expect(recording.status == 0, "\(recording.error)")
        #expect(recording.report.heap != nil && recording.report.capture.problems.isEmpty)
        // Enough to have grown: each game deals its cards anew.
        #expect((recording.report.allocations?.totals.allocations ?? 0) > 10_000)
        #expect(recording.report.findings.filter { $0.severity != .note }.map(\.message) == [])
    }
}
