import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
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

    @Test("groups that differ in what they wait for alone have one order")
    func orderOfStates() {
        let tasks = (1...8).map { count in
            Self.group(.taskGroup, in: "a()", id: UInt64(count)) { $0.state.unfinished = count }
        }
        #expect(TaskReportBuilder.grouped(tasks).map(\.state.unfinished) == (1...8).map { $0 })
        #expect(TaskReportBuilder.grouped(tasks.reversed()).map(\.state.unfinished) == (1...8).map { $0 })
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

    @Test("a group adds up what its tasks keep, and names each of their priorities once, the highest first")
    func keptBytes() throws {
        let tasks = [(9, 100), (25, 20), (25, 3), (0, 0), (7, 0)].map { priority, bytes in
            var task = TaskFacts(id: 1, status: .continuation(.nobody))
            (task.priority, task.keptBytes) = (UInt8(priority), UInt64(bytes))
            return task
        }
        let group = try #require(Self.section(Self.recording(tasks))?.groups.first)
        #expect(group.count == 5 && group.retained == 123)
        #expect(group.priorities == ["high", "background", "7"])
        let none = try #require(Self.section(Self.recording([TaskFacts(id: 1, status: .ready)]))?.groups.first)
        #expect(none.retained == nil && none.priorities == nil)
    }

    /// A recording whose only snapshot has these tasks.
    private static func recording(_ tasks: [TaskFacts], isOmitted: Bool = false) -> Recording {
        var list = TaskList()
        (list.tasks, list.isOmitted) = (tasks, isOmitted)
        var snapshot = HeapSnapshot(
            begin: HeapBeginRecord(snapshot: SnapshotID(1)), end: HeapEndRecord(snapshot: SnapshotID(1)))
        snapshot.tasks = list
        var recording = Recording()
        recording.heapSnapshots = [snapshot]
        return recording
    }

    private static func section(_ recording: Recording) -> Report.Tasks? {
        TaskReportBuilder.section(of: recording, symbolicator: Symbolicator(recording: recording))
    }

    @Test("a report has a section of tasks only where one waits, or where a group keeps its children")
    func section() throws {
        #expect(Self.section(Recording()) == nil)
        let runs = TaskFacts(id: 1, status: .running(thread: nil))
        #expect(Self.section(Self.recording([runs])) == nil)
        var keeps = runs
        keeps.finishedChildren = 12
        #expect(Self.section(Self.recording([keeps]))?.finishedChildren == [.init(count: 12)])
        let waiting = try #require(Self.section(Self.recording([runs, TaskFacts(id: 2, status: .ready)])))
        #expect(waiting.count == 2 && waiting.groups.count == 2 && waiting.omitted == nil)
    }

    @Test("the section says that the tasks of a large heap were not looked at")
    func unexamined() throws {
        let recording = Self.recording([], isOmitted: true)
        let section = try #require(Self.section(recording))
        #expect(section.unexamined == true && TaskWords.summary(section).contains("gameprof tasks lists it"))
        let report = TaskReportBuilder.build(recording: recording, symbolicator: Symbolicator(recording: recording))
        #expect(report.notMeasured?.contains("the heap is large") == true)
    }

    @Test("the section lists the largest groups, and says how many tasks it leaves out")
    func limit() throws {
        var tasks = (0..<30).flatMap { type in
            let status = TaskFacts.Status.continuation(.property(type: "T\(type)", name: "n"))
            return (0...type).map { TaskFacts(id: UInt64(100 * type + $0), status: status) }
        }
        tasks += (0..<150).map { TaskFacts(id: UInt64(10_000 + $0), status: .ready) }
        let section = try #require(Self.section(Self.recording(tasks)))
        #expect(section.groups.count == 20 && section.groups[0].count == 150 && section.groups[0].ids.count == 100)
        #expect(section.omitted == .init(groups: 11, tasks: 66) && section.count == 465 + 150)
        let more = TaskWords.more(section, shown: 5)
        #expect(more == "26 more groups with 351 tasks; gameprof tasks lists all tasks.")
        #expect(TaskWords.summary(section) == "615 tasks had not ended.")
    }

    @Test("tasks that wait for each other are told as a ring, and so is what waits for one of them")
    func ring() throws {
        let awaited = [1, 2, 0, 0, nil]
        let tasks = awaited.enumerated().map { TaskFacts(id: UInt64($0), status: $1.map { .task($0) } ?? .ready) }
        let section = try #require(Self.section(Self.recording(tasks)))
        #expect(section.groups[0].count == 4 && section.groups[0].state.ring == 3)
        #expect(TaskWords.state(section.groups[0].state) == "waiting for a task among 3 that wait for each other")
        let alone = try #require(Self.section(Self.recording([TaskFacts(id: 1, status: .task(0))])))
        #expect(TaskWords.state(alone.groups[0].state) == "waiting for a task that waits for itself")
    }

    @Test("an executor that is no actor is not called one")
    func executor() throws {
        let status = TaskFacts.Status.executor(type: "Game.Frames", address: 0x30, isActor: false)
        let section = try #require(Self.section(Self.recording([1, 2].map { TaskFacts(id: $0, status: status) })))
        let names = ShortNames(["Game.Frames"])
        #expect(TaskWords.state(section.groups[0].state, names: names) == "waiting for the executor Frames")
        #expect(
            TaskWords.queues(section.mailboxes, nil, names: names) == [
                "2 tasks wait in the mailbox of the executor Frames."
            ])
    }

    @Test("a property that only waiting tasks hold is no hope for a task that can never resume")
    func stuck() throws {
        var task = TaskFacts(id: 1, status: .continuation(.property(type: "Game.Line", name: "reader")))
        task.neverResumes = true
        let section = try #require(Self.section(Self.recording([task])))
        #expect(
            TextTasks.title(section.groups[0], ShortNames(["Game.Line"]))
                == "✗ 1 × waiting for a continuation held by Line.reader, which only tasks that wait hold, can never resume"
        )
    }

    @Test("the mailboxes of the actors of a type are one row, with the longest of them")
    func mailboxes() throws {
        let addresses: [UInt64] = [0x10, 0x10, 0x20, 0x10]
        var tasks = addresses.map {
            TaskFacts(id: $0, status: .executor(type: "Game.Desk", address: $0, isActor: true))
        }
        tasks.append(TaskFacts(id: 1, status: .executor(type: "Game.Log", address: 0x30, isActor: true)))
        for tasks in [tasks, tasks.reversed()] {
            let section = try #require(Self.section(Self.recording(tasks)))
            let rows = try #require(section.mailboxes)
            #expect(rows.map(\.waiting) == [4, 1] && rows[0].actors == 2 && rows[0].longest == 3)
            #expect(
                TaskWords.queues(rows, nil, names: ShortNames(["Game.Desk", "Game.Log"]))
                    == ["4 tasks wait in the mailboxes of 2 Desk actors, 3 of them in the longest."])
        }
        let one = TaskReport.Mailbox(kind: .actor, type: "Game.Desk", waiting: 1_200, actors: 1, longest: 1_200)
        let unnamed = [
            TaskReport.Mailbox(kind: .executor, type: nil, waiting: 2, actors: 1, longest: 2),
            TaskReport.Mailbox(kind: .executor, type: nil, waiting: 9, actors: 3, longest: 5),
        ]
        #expect(
            TaskWords.queues(unnamed, nil, names: ShortNames([])) == [
                "2 tasks wait in the mailbox of an executor.",
                "9 tasks wait in the mailboxes of 3 executors, 5 of them in the longest.",
            ])
        #expect(
            TaskWords.queues([one], nil, names: ShortNames(["Game.Desk"]))
                == ["1,200 tasks wait in the mailbox of the actor Desk."])
    }

    @Test("finished children are told with what made them, unless they are few")
    func finished() {
        let stack = CallStack(frames: [CallStack.Frame(function: "serve()", file: "/game/Jobs.swift", line: 40)])
        let rows = [
            TaskReport.FinishedChildren(count: 1_200, createdBy: stack), .init(count: 60, tasks: 3), .init(count: 9),
        ]
        let end =
            "keep their memory, because nobody takes their results: call next() on the group, or use a discarding "
            + "task group."
        #expect(
            TaskWords.queues(nil, rows, names: ShortNames([])) == [
                "1,200 finished children of a task group, in serve(), Jobs.swift:40, \(end)",
                "60 finished children of the groups of 3 tasks \(end)",
            ])
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
