import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

/// Grouping of tasks, and how they are written.
@Suite struct TaskReportTests {
    private static func group(
        _ kind: TaskReport.State.Kind, in function: String, id: UInt64 = 1,
        _ change: (inout TaskReport.Group) -> Void = { _ in }
    ) -> TaskReport.Group {
        let frame = CallStack.Frame(function: function, module: "Game", file: "/game/Desk.swift", line: 12)
        var group = TaskReport.Group(state: TaskReport.State(kind), stack: CallStack(frames: [frame]))
        group.ids = [id]
        change(&group)
        return group
    }

    @Test("equal tasks are one group, the largest first, whatever order they come in")
    func grouping() {
        let tasks = (0..<9).map { Self.group(.sleep, in: ["a()", "b()", "b()"][$0 % 3], id: UInt64($0)) }
        let groups = TaskReportBuilder.grouped(tasks)
        #expect(groups.map(\.count) == [6, 3] && groups.map(\.ids) == [[1, 2, 4, 5, 7, 8], [0, 3, 6]])
        #expect(TaskReportBuilder.grouped(tasks.reversed()) == groups)
    }

    @Test("of groups of as many tasks those come first that never resume, then the order is that of their text")
    func order() {
        let tasks = [
            Self.group(.stream, in: "a()"), Self.group(.sleep, in: "b()"), Self.group(.sleep, in: "a()"),
            Self.group(.unknown, in: "z()") { $0.neverResumes = true },
        ]
        let groups = TaskReportBuilder.grouped(tasks)
        #expect(groups.map { $0.stack.frames[0].function } == ["z()", "a()", "b()", "a()"])
        #expect(groups.map(\.state.kind) == [.unknown, .sleep, .sleep, .stream])
    }

    @Test("names and threads of a group's tasks are collected, in order")
    func names() {
        let tasks = ["b", "a", "b"].enumerated().map { index, name in
            Self.group(.running, in: "a()") { ($0.names, $0.threads) = ([name], [9 - index]) }
        }
        let group = TaskReportBuilder.grouped(tasks)[0]
        #expect(group.names == ["a", "b"] && group.threads == [7, 8, 9] && group.count == 3)
    }

    @Test("a group is a line that says how many tasks wait for what")
    func titles() {
        let lost = Self.group(.continuation, in: "approve(_:)") {
            ($0.state.holder, $0.count, $0.neverResumes) = (.nobody, 497, true)
            $0.createdBy = $0.stack
        }
        #expect(
            TextTasks.title(lost)
                == "✗ 497 × waiting for a continuation that nothing holds, can never resume · created in approve(_:), "
                + "Desk.swift:12"
        )
        let held = Self.group(.continuation, in: "next()") {
            ($0.state.holder, $0.state.type, $0.state.name) = (.property, "Desk", "wait\u{1B}ing")
            $0.cancelled = true
        }
        #expect(
            TextTasks.title(held)
                == "  1 × waiting for a continuation held by Desk.wait\\u{1B}ing, cancelled · in next(), Desk.swift:12")
    }

    @Test("what a task waits for that another one waits for is said too")
    func awaited() {
        var state = TaskReport.State(.task)
        state.awaited = [TaskReport.State(.sleep)]
        #expect(TaskWords.state(state) == "waiting for a task that is sleeping")
        state.awaited = [TaskReport.State(.running)]
        #expect(TaskWords.state(state) == "waiting for a task that runs")
        #expect(TaskWords.state(TaskReport.State(.unknown)) == "waiting for something that cannot be determined")
        state = TaskReport.State(.taskGroup)
        state.unfinished = 1
        #expect(TaskWords.state(state) == "waiting for a task group with 1 unfinished child")
    }

    @Test("what a process names is escaped in every line")
    func escaping() {
        var report = TaskReport(executable: "/tmp/\u{1B}game", process: 7)
        let evil = "\u{1B}[31m\n"
        var group = Self.group(.actor, in: evil) { ($0.state.type, $0.names) = (evil, [evil]) }
        group.parents = [TaskReport.Parent(state: group.state, stack: group.stack)]
        group.createdBy = group.stack
        (report.groups, report.count, report.notes, report.notMeasured) = ([group], 1, [evil], evil)
        let text = TextTasks.render(report, style: TextStyle())
        #expect(!text.contains("\u{1B}") && text.split(separator: "\n").allSatisfy { !$0.hasPrefix("[31m") })
    }

    @Test("a snapshot without tasks is not measured")
    func notMeasured() {
        let recording = Recording()
        let report = TaskReportBuilder.build(recording: recording, symbolicator: Symbolicator(recording: recording))
        #expect(report.notMeasured != nil && report.groups.isEmpty)
        let text = TextTasks.render(report, style: TextStyle())
        #expect(text.contains(": not measured.") && !text.contains("no task"), "\(text)")
    }
}
