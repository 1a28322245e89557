import Foundation
import Testing

/// Cycles that nothing with a count holds from outside, while pointers without one name them.
@Suite struct PointerHolderTests {
    private func record(_ argument: String, _ build: SwiftProgram.Build) throws -> RecordedReport {
        let program = try SwiftProgram.compile(
            files: ["Common.swift", "InFlight.swift"], module: "InFlight", build: build)
        return try RecordedReport.leaks(of: program, [argument])
    }

    @Test(
        "an operation in flight is no error, and the warning names who knows it",
        arguments: [
            "table": "globalTable", "list": "globalTable", "chain": "globalTable", "pair": "globalTable",
            "tags": "globalTable", "pointers": "globalPointers", "handles": "globalHandles",
            "mapping": "mapped memory", "kernel": "an epoll set", "local-loop": "a local variable",
            "local-table": "a local variable", "local-chain": "a local variable", "local-shared": "a local variable",
        ].map { ($0, $1) }, SwiftProgram.Build.usual)
    func inFlight(_ holder: (argument: String, name: String), in build: SwiftProgram.Build) throws {
        let recording = try record(holder.argument, build)
        #expect(recording.report.findings.map(\.severity) == [.warning])
        let finding = try #require(recording.report.findings.first)
        #expect(finding.kind == .reachableCycle)
        #expect(finding.count == (holder.argument == "pair" ? 1 : 3))
        #expect(finding.heldBy?.first?.hasPrefix(holder.name) == true, "\(finding.heldBy ?? [])")
        #expect(!recording.error.contains("weak"), "a weak reference would free what the pointer is used for")
        #expect(recording.status == 0)
    }

    @Test(
        "a cycle is lost though its own memory, an identifier or a place that is not used names it",
        arguments: [
            "own-context", "own-context-exit", "identified", "removed-from-array", "removed-from-buffer",
            "freed-table",
        ], SwiftProgram.Build.usual)
    func lost(_ argument: String, in build: SwiftProgram.Build) throws {
        let recording = try record(argument, build)
        #expect(recording.report.findings.map(\.kind) == [.retainCycle])
        #expect(recording.status == 1)
    }
}
