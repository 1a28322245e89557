import Foundation
import Testing

@testable import GameprofAnalysis

/// What a report advises can be done in the sources, and compiles there.
@Suite struct CureTests {
    private static func finding(_ argument: String, _ build: SwiftProgram.Build) throws -> Finding {
        let program = try SwiftProgram.compile(
            files: ["Common.swift", "Cures.swift"], module: "Cures", build: build)
        let run = try RecordedReport.leaks(of: program, [argument])
        try #require(run.report.errors.count == 1, "\(run.report.errors.map(\.message))")
        return run.report.errors[0]
    }

    /// A case, what its fix says and what it must not say.
    private static let cures: [(argument: String, says: String, never: String)] = [
        ("captured-variable", "to nil when it is done", "weak"),
        ("captured-variable-beside-an-object", "to nil when it is done", "weak"),
        ("two-variables", "to nil when it is done", "weak"),
        ("observed", "[weak self]", "observationRegistrar"),
        ("generic", "Pipe.inner", "weak var"),
        ("enum-payload", "Chain.link", "weak var"),
        ("dependencies", "belong to Foundation", "__dependencies"),
        ("timer", "capture Ticker weakly", "retain"),
        ("constant", "capture Screen weakly", "Panel.onTap"),
    ]

    @Test(
        "a fix names what the user wrote, and no weak that does not compile", arguments: cures, SwiftProgram.Build.usual
    )
    func fixes(_ cure: (argument: String, says: String, never: String), in build: SwiftProgram.Build) throws {
        let finding = try Self.finding(cure.argument, build)
        let fix = try #require(finding.fix)
        #expect(fix.contains(cure.says) && !fix.contains(cure.never), "\(fix)")
        #expect(
            try FixCheck.unknown(in: fix, of: SwiftProgram.sources(["Common.swift", "Cures.swift"])) == [], "\(fix)")
    }

    @Test(
        "a captured variable that holds a closure makes one step for each closure", arguments: SwiftProgram.Build.usual)
    func stepsBetweenClosures(_ build: SwiftProgram.Build) throws {
        for (argument, steps) in [
            ("captured-variable", 1), ("captured-variable-beside-an-object", 1), ("two-variables", 2),
        ] {
            let references = try Self.finding(argument, build).references
            #expect(references.count == steps, "\(argument): \(references)")
            #expect(references.allSatisfy { $0.from.hasPrefix("closure #") }, "\(argument): \(references)")
        }
    }

    @Test("the closures of two overloads are two changes", arguments: SwiftProgram.Build.usual)
    func overloads(_ build: SwiftProgram.Build) throws {
        let finding = try Self.finding("overloads", build)
        #expect(Set(finding.fixes ?? []).count == 2, "\(finding.fix ?? "")")
        #expect(finding.fixFrees?.blocks == finding.fixFrees?.of && finding.fixFrees != nil)
    }

    @Test("what another finding holds is freed together with that one", arguments: SwiftProgram.Build.usual)
    func connected(_ build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(files: ["Common.swift", "Cures.swift"], module: "Cures", build: build)
        let errors = try RecordedReport.leaks(of: program, ["connected"]).report.errors
        try #require(errors.count == 2, "\(errors.map(\.message))")
        let crew = try #require(errors.first { $0.title.contains("Crew") })
        let engine = try #require(errors.first { $0.title.contains("Engine") })
        #expect(crew.fixFrees == Finding.Freed(blocks: 2, of: 2))
        var freed = Finding.Freed(blocks: 2, of: 2)
        freed.with = [crew.shortSignature]
        #expect(engine.fixFrees == freed)
    }

    /// A case, and what its fix says, nothing where it has no finding.
    private static let waiting: [(argument: String, says: [String])] = [
        (
            "stream",
            ["finish the stream of Desk.feed that the task at WaitingTasks.swift:28 reads, or cancel", "Ledger.desk"]
        ),
        ("stream-finished", []), ("stream-cancelled", []),
        ("stream-weakly", ["that the task at WaitingTasks.swift:"]),
        ("continuation", ["resume the continuation in Inbox.waiting that the task at WaitingTasks.swift:62 waits for"]),
        ("continuation-resumed", []),
    ]

    @Test(
        "a group in which a task waits is freed by what its fix says and by nothing less", arguments: waiting,
        SwiftProgram.Build.usual)
    func waits(_ wait: (argument: String, says: [String]), in build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(
            files: ["Common.swift", "WaitingTasks.swift"], module: "WaitingTasks", build: build)
        let errors = try RecordedReport.leaks(of: program, [wait.argument]).report.errors
        try #require(errors.count == (wait.says.isEmpty ? 0 : 1), "\(errors.map(\.message))")
        guard let finding = errors.first else { return }
        for text in wait.says { #expect(finding.fix?.contains(text) == true, "\(finding.fix ?? "")") }
        guard finding.kind == .retainCycle else { return }
        #expect((finding.fixes?.count ?? 1) == wait.says.count)
        #expect(finding.fixFrees?.blocks == finding.fixFrees?.of && finding.fixFrees != nil)
    }
}
