import Foundation
import Testing

@testable import GameprofAnalysis

/// `gameprof tasks --why` on a program in which each task waits for another.
@Suite struct TaskWhyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(script: "Chained.swift", module: "Chained", build: build)
    }

    private func report(_ task: String, _ target: [String]) throws -> (report: TaskReport, result: CommandResult) {
        let json = folder.url.appending(path: "tasks.json")
        let arguments = ["tasks", "--why", task, "--json", json.path] + target
        var result = try Command.run(Products.gameprof, arguments)
        // On a busy machine a thread may not stop in time: nothing is said then.
        for _ in 0..<3 where result.status == 4 && result.error.contains("did not stop") {
            result = try Command.run(Products.gameprof, arguments)
        }
        try #require([0, 1].contains(result.status), "\(result)")
        return (try JSONDecoder().decode(TaskReport.self, from: Data(contentsOf: json)), result)
    }

    private func check(_ target: [String]) throws {
        let (report, result) = try report("parent", target)
        let why = try #require(report.why?.first, "\(result.error)")
        #expect(why.chain.map(\.task.names) == [["parent"], ["child"], ["writer"]], "\(result.error)")
        #expect(why.chain.map(\.task.state.kind) == [.taskGroup, .actor, .running], "\(result.error)")
        let functions = why.chain[0].task.stack.frames.map(\.function)
        #expect(functions.contains { $0.contains("waitForChild()") } && why.ring == nil)
        #expect(result.error.contains("which runs on the actor Store: running on a thread"), "\(result.error)")

        let (outer, text) = try self.report("outer", target)
        let lost = try #require(outer.why?.first, "\(text.error)")
        #expect(lost.chain.map(\.task.names) == [["outer"], ["lost"], ["lost child"]], "\(text.error)")
        #expect(lost.chain.map(\.task.state.kind) == [.task, .taskGroup, .continuation], "\(text.error)")
        #expect(lost.chain.allSatisfy(\.task.neverResumes) && text.status == 1, "\(text.error)")
        let id = try #require(lost.chain.last?.task.ids.first)
        #expect(
            text.error.contains("Nothing refers to the continuation of task \(id): it can never be resumed."),
            "\(text.error)")
        #expect(try self.report("lost", target).report.why?.first?.waiters.map(\.names) == [["outer"]])

        let held = try self.report("held", target)
        let step = try #require(held.report.why?.first?.chain.first, "\(held.result.error)")
        #expect(step.held == .continuation && step.heldBy?.root.kind == .global, "\(held.result.error)")
        #expect(step.heldBy?.references.last?.to == "Chained.Desk", "\(held.result.error)")
        #expect(held.report.why?.first?.retained?.contains { $0.bytes > 0 } == true)
        let writer = try self.report("writer", target).report.why?.first
        #expect(writer?.waiters.map(\.names) == [["child"]])
    }

    @Test(
        "a running process, and what is kept of it, say for what a task waits in turn",
        arguments: SwiftProgram.Build.usual)
    func process(build: SwiftProgram.Build) throws {
        let waiting = try WaitingProgram(try Self.program(build))
        try check(["--pid", waiting.pid])
        try check([try waiting.core(in: folder)])
        let trace = folder.url.appending(path: "kept.gptrace").path
        _ = try report("held", ["--pid", waiting.pid, "--output", trace])
        waiting.end()
        try check([trace])
    }

    @Test(
        "a recorded program says it too, with who made its tasks, and how long ago",
        arguments: SwiftProgram.Build.usual)
    func recorded(build: SwiftProgram.Build) throws {
        let program = try Self.program(build)
        try check(["--", program.path, "end"])
        let (report, result) = try report("parent", ["--", program.path, "end"])
        let chain = try #require(report.why?.first?.chain)
        #expect(chain[0].task.createdBy != nil && result.error.contains("created "), "\(result.error)")
        // The one was made 0.7 s before the end, the other one 0.3 s before it.
        let ages = try chain.map { try #require($0.task.created, "\(result.error)") }
        #expect(ages.allSatisfy { $0.newest <= $0.oldest } && ages[0].oldest > 0.65, "\(ages)")
        #expect(ages[2].oldest > 0.95 && ages[1].newest < ages[2].oldest - 0.2, "\(ages)")
    }

    @Test("a trace of leaks says what its graph of the heap knows")
    func trace() throws {
        let trace = folder.url.appending(path: "leaks.gptrace").path
        let program = try Self.program(.onone)
        _ = try Command.run(Products.gameprof, ["leaks", "--output", trace, "--", program.path, "end"])
        try check([trace])
    }

    @Test("a task that is not there is wrong usage, and names are escaped")
    func names() throws {
        let program = try Self.program(.onone)
        let waiting = try WaitingProgram(program)
        let unknown = try Command.run(Products.gameprof, ["tasks", "--why", "no\u{1B}body", "--pid", waiting.pid])
        #expect(unknown.status == 2 && !unknown.error.contains("\u{1B}"), "\(unknown.error)")
        #expect(unknown.error.contains(#"has the id or the name "no\u{1B}body"."#), "\(unknown.error)")
        let evil = try report("evil\u{1B}[31m\n", ["--pid", waiting.pid])
        let task = try #require(evil.report.why?.first?.chain[0].task, "\(evil.result.error)")
        #expect(task.state.kind == .sleep)
        #expect(try report("\(task.ids[0])", ["--pid", waiting.pid]).report.why?.first?.chain[0].task == task)
        #expect(evil.result.error.contains(#"(evil\u{1B}[31m"#) && !evil.result.error.contains("\u{1B}"))
        waiting.end()
    }
}
