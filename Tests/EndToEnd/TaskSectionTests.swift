import Foundation
import Testing

@testable import GameprofAnalysis

/// What reports of leaks, of the heap and of crashes say of tasks.
@Suite struct TaskSectionTests {
    private let folder: TemporaryFolder
    private var json: URL { folder.url.appending(path: "report.json") }
    private var page: URL { folder.url.appending(path: "report.html") }
    private var trace: URL { folder.url.appending(path: "kept.gptrace") }

    init() throws { folder = try TemporaryFolder() }

    private static func program(_ build: SwiftProgram.Build) throws -> URL {
        try SwiftProgram.compile(script: "ManyTasks.swift", module: "ManyTasks", build: build)
    }

    private func report(_ command: String, _ arguments: [String]) throws -> (report: Report, text: String) {
        let files = ["--json", json.path, "--html", page.path]
        let result = try Command.run(Products.gameprof, [command] + files + arguments, directory: folder.url)
        try #require(FileManager.default.fileExists(atPath: json.path), "\(result.error)")
        return (try Report(json: json), result.error)
    }

    private func tasks(_ arguments: [String]) throws -> TaskReport {
        _ = try Command.run(Products.gameprof, ["tasks", "--json", json.path] + arguments, directory: folder.url)
        return try JSONDecoder().decode(TaskReport.self, from: Data(contentsOf: json))
    }

    @Test(
        "leaks and heap show the tasks that had not ended when a program ended", arguments: ["leaks", "heap"],
        SwiftProgram.Build.usual)
    func end(command: String, build: SwiftProgram.Build) throws {
        let program = try Self.program(build)
        let (report, text) = try report(command, ["--", program.path, "kept", "end"])
        let section = try #require(report.tasks, "\(text)")
        // Threads may have left words on their stacks that name some: of these nothing is claimed.
        #expect(section.count == 300 && section.neverResuming > 250, "\(text)")
        let group = try #require(section.groups.first)
        #expect(group.state.kind == .continuation && group.state.holder == .nobody && group.neverResumes, "\(text)")
        #expect(group.stack.telling.first?.function.hasPrefix("approve(_:)") == true, "\(text)")
        #expect(group.createdBy?.telling.first?.function.hasPrefix("start(_:)") == true, "\(text)")
        #expect(text.contains("300 tasks had not ended, and"), "\(text)")
        #expect(text.contains("✗ \(group.count) × waiting for a continuation that nothing holds, can never resume"))
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(html.contains(##"<a href="#tasks">Tasks</a>"##) && html.contains(#"<section id="tasks""#))
        #expect(html.contains("waiting for a continuation that nothing holds"))
    }

    @Test("a crash report shows the tasks that had not ended", arguments: SwiftProgram.Build.usual)
    func crash(build: SwiftProgram.Build) throws {
        let (report, text) = try report("leaks", ["--", try Self.program(build).path, "held", "crash"])
        #expect(report.crash?.message?.contains("on purpose") == true, "\(text)")
        let group = try #require(report.tasks?.groups.first, "\(text)")
        #expect(group.count == 50 && group.state.holder == .property && group.state.name == "waiting", "\(text)")
        #expect(
            report.tasks?.neverResuming == 0 && text.contains("50 × waiting for a continuation held by Desk.waiting"))
    }

    @Test("a process and its core file have the tasks that gameprof tasks shows", arguments: SwiftProgram.Build.usual)
    func process(build: SwiftProgram.Build) throws {
        let waiting = try WaitingProgram(try Self.program(build), ["lostgroup"])
        let core = try waiting.core(in: folder)
        for target in [["--pid", waiting.pid], [core]] {
            let whole = try tasks(target)
            for command in ["leaks", "heap"] {
                let (report, text) = try report(command, target)
                #expect(report.tasks?.groups == whole.groups && report.tasks?.count == 41, "\(text)")
                #expect(report.tasks?.neverResuming == whole.neverResuming && whole.neverResuming > 0, "\(text)")
            }
        }
        waiting.end()
    }

    @Test("a trace has the tasks of its program", arguments: SwiftProgram.Build.usual)
    func kept(build: SwiftProgram.Build) throws {
        let program = try Self.program(build)
        let recorded = try report("leaks", ["--output", trace.path, "--", program.path, "group", "end"]).report
        #expect(recorded.tasks?.count == 5)
        #expect(try report("report", [trace.path]).report.tasks == recorded.tasks)
        // A report of something else does not look for when tasks were made.
        var groups = try tasks([trace.path]).groups
        #expect(groups.allSatisfy { $0.created != nil })
        for place in groups.indices { groups[place].created = nil }
        #expect(groups == recorded.tasks?.groups)
        let dump = try Command.run(Products.gameprof, ["dump", trace.path]).output
        #expect(dump.contains(#"status=continuation holder=property type="ManyTasks.Desk" property="waiting""#))
    }

    @Test("tasks in a large heap are left to gameprof tasks, and the report says so")
    func large() throws {
        let program = try Self.program(.optimised)
        let (report, text) = try report("leaks", ["--", program.path, "large", "end"])
        #expect(report.tasks?.unexamined == true && report.tasks?.count == 0, "\(text)")
        #expect(text.contains("What they wait for was not looked at, because the heap is large"), "\(text)")
        #expect(try tasks(["--", program.path, "large", "end"]).count == 3)
    }

    @Test("a report of a program without tasks has no section of them")
    func none() throws {
        let (report, text) = try report(
            "leaks", ["--output", trace.path, "--", try Self.program(.onone).path, "none", "end"])
        #expect(report.tasks == nil && !text.contains("\nTasks\n"), "\(text)")
        #expect(try !String(contentsOf: page, encoding: .utf8).contains("id=\"tasks\""))
        let known = try Command.run(Products.gameprof, ["tasks", trace.path])
        #expect(known.status == 0 && known.error.contains("no task that has not ended"), "\(known.error)")
    }

    @Test("the tasks in the mailbox of an actor are counted", arguments: SwiftProgram.Build.usual)
    func mailbox(build: SwiftProgram.Build) throws {
        let program = try Self.program(build)
        let waiting = try WaitingProgram(program, ["actor"])
        let wanted = TaskReport.Mailbox(
            kind: .actor, type: "ManyTasks.Counter", waiting: 10, actors: 1, longest: 10)
        #expect(try tasks(["--pid", waiting.pid]).mailboxes == [wanted])
        waiting.end()
        let (report, text) = try report("leaks", ["--", program.path, "actor", "end"])
        #expect(report.tasks?.mailboxes == [wanted], "\(text)")
        let sentence = "10 tasks wait in the mailbox of the actor Counter."
        #expect(try text.contains(sentence) && String(contentsOf: page, encoding: .utf8).contains(sentence))
    }

    @Test(
        "children of a task group that have ended and are not asked for their results are counted",
        arguments: SwiftProgram.Build.usual)
    func finishedChildren(build: SwiftProgram.Build) throws {
        let program = try Self.program(build)
        let waiting = try WaitingProgram(program, ["kept children"])
        let row = try #require(try tasks(["--pid", waiting.pid]).finishedChildren?.first)
        #expect(row.count == 60 && row.tasks == 1 && row.createdBy == nil)
        #expect(row.stack?.frames.contains { $0.function.contains("keepChildren()") } == true)
        waiting.end()
        let (report, text) = try report("leaks", ["--", program.path, "kept children", "end"])
        let recorded = try #require(report.tasks?.finishedChildren?.first, "\(text)")
        #expect(recorded.count == 60 && recorded.createdBy?.maker?.contains("keepChildren()") == true, "\(text)")
        #expect(text.contains("60 finished children of a task group, in "), "\(text)")
    }
}
