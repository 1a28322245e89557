import Foundation
import Testing

/// What still lives when the program ends, and what a function that does not return still owns.
@Suite struct HeldTests {
    private func record(_ argument: String, _ build: SwiftProgram.Build) throws -> RecordedReport {
        let program = try SwiftProgram.compile(files: ["Held.swift"], module: "Held", build: build)
        return try RecordedReport.leaks(of: program, [argument])
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `a task that its object keeps and that captures it is warned of`(in build: SwiftProgram.Build) throws {
        let recording = try record("task", build)
        let finding = try #require(recording.report.findings.first)
        #expect(recording.report.findings.count == 1)
        #expect(finding.kind == .reachableCycle)
        #expect(finding.severity == .warning)
        #expect(finding.references.contains { $0.from == "Held.Loader" && $0.field == "task" })
        #expect(recording.status == 0)
    }

    @Test(arguments: ["owned-task", "weak-task"], SwiftProgram.Build.usual)
    func `a task whose object is owned or held weakly is no defect`(
        _ argument: String, in build: SwiftProgram.Build
    ) throws {
        #expect(try record(argument, build).report.findings.map(\.message) == [])
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `what a function holds that does not return is no error`(in build: SwiftProgram.Build) throws {
        let recording = try record("exit-inside", build)
        #expect(recording.report.errors.map(\.message) == [])
        #expect(recording.status == 0)
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `what main holds that ends in dispatchMain is no error`(in build: SwiftProgram.Build) throws {
        let recording = try record("dispatch-main", build)
        #expect(recording.report.errors.map(\.message) == [])
        #expect(recording.status == 0)
    }

    @Test func `what a function lost that returned is an error`() throws {
        let recording = try record("lost-before-exit", .onone)
        #expect(recording.report.errors.map(\.type) == ["Held.Server"])
        #expect(recording.status == 1)
    }

    @Test(arguments: SwiftProgram.Build.usual)
    func `events of before on the stack of libdispatch's manager hold nothing`(in build: SwiftProgram.Build) throws {
        let recording = try record("alarms", build)
        #expect(recording.report.errors.map { $0.objects["Held.Alarm"] } == [12])
        #expect(recording.status == 1)
    }
}
