import Foundation
import Testing

@testable import GameprofAnalysis

/// Whole programs that keep more and more: data that is built and kept is no warning. They were written before the rules
/// were looked at; Documentation/Reliability.md has what is found.
@Suite(.enabled(if: LongTests.field)) struct GrowingProgramFieldTests {
    private static let healthy = [
        "ASTParser", "Animations", "AsyncPipeline", "ChatRooms", "ChunkStreaming", "CompilerPasses", "ECSWorld",
        "EventStore", "GraphSearch", "JSONTree", "LRUServer", "LevelsGame", "MemoSolver", "ParticlePool",
        "PhotoLibrary",
        "QueueSimulation", "RowImport", "SceneLoader", "Spreadsheet", "TaskGroups", "TextIndex", "TreeSearch",
        "TrieBuilder", "UndoHistory", "WarmCache", "WorkflowEngine",
    ]

    @Test(arguments: healthy, SwiftProgram.Build.usual)
    func `a program that builds its data until it ends has no warning`(
        _ name: String, in build: SwiftProgram.Build
    ) throws {
        #expect(try GrowingProgram.warnings("Healthy", name, build).map(\.message) == [])
    }

    @Test(
        arguments: [
            ("BusHandlers", "RequestContext", Finding.Kind.abandoned), ("MetricLabels", "Counter", .growth),
            ("RequestHistory", "Exchange", .growth),
        ], SwiftProgram.Build.usual)
    func `what grows with each request behind a singleton is a warning`(
        _ shape: (name: String, type: String, kind: Finding.Kind), in build: SwiftProgram.Build
    ) throws {
        let found = try GrowingProgram.warnings("Unbounded", shape.name, build)
        #expect(found.map(\.type) == ["\(shape.name).\(shape.type)"] && found.map(\.kind) == [shape.kind])
    }

    /// In one run they do not differ from data that a healthy program builds.
    @Test(
        arguments: [
            "Completions", "EditSnapshots", "FrameCommands", "LevelChain", "LostSessions", "MoveTasks",
            "UnboundedCache",
        ], SwiftProgram.Build.usual)
    func `what grows behind other variables needs marks`(_ name: String, in build: SwiftProgram.Build) throws {
        #expect(try GrowingProgram.warnings("Unbounded", name, build).map(\.message) == [])
    }

    /// The program's data behind a singleton looks like a cache without a bound: a false positive, but no error.
    @Test(
        arguments: [
            "DatabaseImport", "Formulas", "Interner", "MessageArchive", "PathCache", "ScoreBoard", "SharedWorld",
            "WarmSingleton",
        ])
    func `data behind a singleton that is built until the end is not told from a cache`(_ name: String) throws {
        let found = try GrowingProgram.warnings("Shared", name, .optimised)
        #expect(found.allSatisfy { [.growth, .accumulation].contains($0.kind) && $0.severity == .warning })
    }
}

/// A few of them; all are in `GrowingProgramFieldTests`.
@Suite struct GrowingProgramTests {
    @Test(arguments: ["ECSWorld", "TextIndex", "UndoHistory"])
    func `what a program builds and keeps is no warning`(_ name: String) throws {
        #expect(try GrowingProgram.warnings("Healthy", name, .optimised).map(\.message) == [])
    }

    @Test func `what a singleton keeps of each request is a warning`() throws {
        let found = try GrowingProgram.warnings("Unbounded", "RequestHistory", .optimised)
        #expect(found.map(\.type) == ["RequestHistory.Exchange"] && found.map(\.kind) == [.growth])
    }
}

private enum GrowingProgram {
    static func warnings(_ kind: String, _ name: String, _ build: SwiftProgram.Build) throws -> [Finding] {
        let program = try SwiftProgram.compile(script: "Growing/\(kind)/\(name).swift", module: name, build: build)
        let recording = try RecordedReport.leaks(of: program)
        #expect(recording.status == 0, "\(recording.error)")
        #expect(recording.report.heap != nil && recording.report.capture.problems.isEmpty)
        return recording.report.findings.filter { $0.severity != .note }
    }
}
