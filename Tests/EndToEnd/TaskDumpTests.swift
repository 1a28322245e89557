import Foundation
import Testing

@testable import GameprofAnalysis

/// `gameprof tasks` on programs that know how many of their tasks wait, and for what.
@Suite struct TaskDumpTests {
    /// What a case of ManyTasks.swift does.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// Of the largest group.
        var count: Int
        var kind: TaskReport.State.Kind
        var holder: TaskReport.State.Holder?
        /// The property that holds the continuation, or the actor.
        var place: String?
        /// Of all tasks.
        var total: Int?
        var neverResuming = 0
        /// Threads may have left words on their stacks that name so many tasks: of these nothing is claimed.
        var undetermined: Int { neverResuming > 0 ? 3 + neverResuming / 20 : 0 }

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "dropped", count: 300, kind: .continuation, holder: .nobody, neverResuming: 300),
        Case(name: "kept", count: 300, kind: .continuation, holder: .nobody, neverResuming: 300),
        Case(name: "throwing", count: 30, kind: .continuation, holder: .nobody, neverResuming: 30),
        Case(name: "held", count: 50, kind: .continuation, holder: .property, place: "ManyTasks.Desk.waiting"),
        Case(name: "raw", count: 50, kind: .continuation, holder: .property, place: "ManyTasks.Desk.raw"),
        Case(
            name: "dictionary", count: 30, kind: .continuation, holder: .nobody, total: 50, neverResuming: 30),
        Case(
            name: "variable", count: 1, kind: .continuation, holder: .variable, place: "single", total: 2),
        // An array of three uses what malloc gave beyond what was asked for.
        Case(name: "few", count: 3, kind: .continuation, holder: .property, place: "ManyTasks.Desk.raw"),
        Case(name: "closure", count: 1, kind: .continuation, holder: .property, place: "ManyTasks.Desk.onDone"),
        Case(
            name: "group", count: 4, kind: .continuation, holder: .property, place: "ManyTasks.Desk.waiting", total: 5),
        Case(name: "lostgroup", count: 40, kind: .continuation, holder: .nobody, total: 41, neverResuming: 41),
        Case(name: "lets", count: 1, kind: .asyncLet, total: 3),
        Case(name: "sleep", count: 20, kind: .sleep),
        Case(name: "actor", count: 10, kind: .actor, place: "ManyTasks.Counter", total: 11),
        Case(name: "stream", count: 5, kind: .stream),
        Case(
            name: "cancelled", count: 20, kind: .continuation, holder: .property, place: "ManyTasks.Desk.waiting"),
        Case(name: "busy", count: 1, kind: .running),
        Case(name: "handler", count: 30, kind: .continuation, holder: .nobody, neverResuming: 30),
        Case(name: "value", count: 6, kind: .task, total: 7),
        Case(name: "main", count: 7, kind: .actor, place: "MainActor"),
    ]

    private func report(_ arguments: [String]) throws -> (report: TaskReport, result: CommandResult) {
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "tasks.json")
        var result = try Command.run(Products.gameprof, ["tasks", "--json", json.path] + arguments)
        // On a busy machine a thread may not stop in time: nothing is said then.
        for _ in 0..<3 where result.status == 4 && result.error.contains("did not stop") {
            result = try Command.run(Products.gameprof, ["tasks", "--json", json.path] + arguments)
        }
        return (try JSONDecoder().decode(TaskReport.self, from: Data(contentsOf: json)), result)
    }

    private func check(_ report: TaskReport, _ result: CommandResult, _ wanted: Case) throws {
        let group = try #require(report.groups.first, "\(result.error)")
        let place = [group.state.type, group.state.name].compactMap { $0 }.joined(separator: ".")
        let counts = wanted.count - wanted.undetermined...wanted.count
        #expect(counts.contains(group.count) && group.state.kind == wanted.kind, "\(result.error)")
        #expect(group.state.holder == wanted.holder && place == wanted.place ?? "", "\(result.error)")
        #expect(report.count == wanted.total ?? wanted.count)
        if wanted.kind == .continuation, !report.groups.contains(where: { $0.state.kind == .asyncLet }) {
            #expect(group.retained ?? 0 > UInt64(group.count) * 200, "each keeps its own memory: \(group)")
        }
        let lost = wanted.neverResuming - wanted.undetermined...wanted.neverResuming
        #expect(lost.contains(report.neverResuming), "\(result.error)")
        #expect(report.groups.reduce(0) { $0 + $1.count } == report.count)
        #expect(result.status == (wanted.neverResuming > 0 ? 1 : 0), "\(result.error)")
    }

    @Test(
        "what tasks of a running process wait for is named, and they are counted", arguments: SwiftProgram.Build.usual,
        cases)
    func process(build: SwiftProgram.Build, wanted: Case) throws {
        let program = try SwiftProgram.compile(script: "ManyTasks.swift", module: "ManyTasks", build: build)
        let waiting = try WaitingProgram(program, [wanted.name])
        let (report, result) = try report(["--pid", waiting.pid])
        try check(report, result, wanted)
        waiting.end()
    }

    @Test(
        "tasks that a trace keeps are those of the look", arguments: SwiftProgram.Build.usual, ["held", "lets", "main"])
    func kept(build: SwiftProgram.Build, name: String) throws {
        let wanted = try #require(Self.cases.first { $0.name == name })
        let program = try SwiftProgram.compile(script: "ManyTasks.swift", module: "ManyTasks", build: build)
        let waiting = try WaitingProgram(program, [name])
        let folder = try TemporaryFolder()
        let trace = folder.url.appending(path: "tasks.gptrace").path
        let (look, result) = try report(["--pid", waiting.pid, "--output", trace])
        waiting.end()
        try check(look, result, wanted)
        #expect(try report([trace]).report == look)
        let refused = try Command.run(Products.gameprof, ["tasks", trace, "--output", trace])
        #expect(refused.status == 2 && refused.error.contains("it has no effect on \(trace)."), "\(refused.error)")
    }

    @Test(
        "a continuation that a program keeps where no type tells it, or a task's own memory does, is not claimed to be lost",
        arguments: SwiftProgram.Build.usual)
    func hidden(build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(script: "HiddenContinuations.swift", module: "Hidden", build: build)
        let waiting = try WaitingProgram(program)
        let (report, result) = try report(["--pid", waiting.pid])
        #expect(report.count == 10 && report.neverResuming == 0 && result.status == 0, "\(result.error)")
        #expect(report.groups.filter { $0.state.kind == .sleep }.reduce(0) { $0 + $1.count } == 2, "\(result.error)")
        // What no type tells proves no holder either.
        #expect(report.groups.allSatisfy { $0.state.holder == .unknown || $0.state.holder == nil }, "\(result.error)")
        waiting.end()
    }

    @Test(
        "tasks in the queues of executors that are served some day, by whatever holds the jobs, can resume",
        arguments: SwiftProgram.Build.usual)
    func executors(build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(script: "Executors.swift", module: "Executors", build: build)
        let waiting = try WaitingProgram(program)
        for target in [["--pid", waiting.pid], ["--", program.path, "end"]] {
            let (report, result) = try report(target)
            #expect(report.count == 18 && report.neverResuming == 0 && result.status == 0, "\(result.error)")
            #expect(report.groups.allSatisfy { $0.state.kind == .executor }, "\(result.error)")
        }
        waiting.end()
    }

    @Test("a core file says of tasks what the process does", arguments: SwiftProgram.Build.usual)
    func core(build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(script: "ManyTasks.swift", module: "ManyTasks", build: build)
        let (waiting, folder) = (try WaitingProgram(program, ["group"]), try TemporaryFolder())
        let core = try report([try waiting.core(in: folder)]).report
        let process = try report(["--pid", waiting.pid]).report
        #expect(core.groups == process.groups && core.count == 5)
        waiting.end()
    }

    @Test(
        "tasks that have not ended when a program ends are shown with who made them",
        arguments: SwiftProgram.Build.usual)
    func end(build: SwiftProgram.Build) throws {
        let program = try SwiftProgram.compile(script: "ManyTasks.swift", module: "ManyTasks", build: build)
        for wanted in Self.cases where ["dropped", "few"].contains(wanted.name) {
            let (report, result) = try report(["--", program.path, wanted.name, "end"])
            try check(report, result, wanted)
            #expect(report.groups[0].createdBy?.telling.first?.function.hasPrefix("start(_:)") == true)
        }
    }

    @Test("a task is shown with its name, escaped, its functions, and the callers of its parent")
    func text() throws {
        let program = try SwiftProgram.compile(script: "ManyTasks.swift", module: "ManyTasks", build: .onone)
        let named = try WaitingProgram(program, ["named"])
        let folder = try TemporaryFolder()
        let page = folder.url.appending(path: "tasks.html")
        let text = try report(["--html", page.path, "--pid", named.pid]).result.error
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(html.contains("waiting for a continuation held by Desk.waiting") && html.contains("3 tasks"))
        #expect(html.contains("loader 0\\u{1B}[31m") && !html.contains("\u{1B}"))
        #expect(text.contains("3 × waiting for a continuation held by Desk.waiting"))
        #expect(text.contains(#"loader 0\u{1B}[31m"#) && !text.contains("\u{1B}"))
        let group = try WaitingProgram(program, ["group"])
        let lines = try report(["--pid", group.pid]).result.error.split(separator: "\n").map(String.init)
        let own = try #require(lines.firstIndex { $0.contains("4 × ") })
        let parent = try #require(lines.firstIndex { $0.contains("child of  a task waiting for a task group with 4") })
        #expect(own < parent && lines[own + 1].contains("Desk.next()") && lines[own + 2].contains("child(_:_:)"))
        #expect(lines[parent...].contains { $0.contains("group(_:)") })
        for program in [named, group] { program.end() }
    }

    @Test("a program without tasks has none, and a process that is not there is an error")
    func none() throws {
        let program = try SwiftProgram.compile(script: "ManyTasks.swift", module: "ManyTasks", build: .onone)
        let waiting = try WaitingProgram(program, ["none"])
        let (report, result) = try report(["--pid", waiting.pid])
        #expect(report.count == 0 && result.status == 0 && result.error.contains("no task that has not ended"))
        waiting.end()
        #expect(try Command.run(Products.gameprof, ["tasks", "--pid", "999999999"]).status == 2)
        #expect(try Command.run(Products.gameprof, ["tasks"]).status == 2)
        #expect(try Command.run(Products.gameprof, ["tasks", "--pid", "1", "./program"]).status == 2)
    }
}
