import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

/// What tasks wait for in turn, and how that is written.
@Suite struct TaskWhyTests {
    private static func list(_ tasks: [(TaskFacts.Status, (inout TaskFacts) -> Void)]) -> TaskList {
        var list = TaskList()
        list.tasks = tasks.enumerated().map { position, task in
            var facts = TaskFacts(id: UInt64(10 + position), status: task.0)
            task.1(&facts)
            return facts
        }
        return list
    }

    private static func same(_ task: inout TaskFacts) {}
    private static let actor = TaskFacts.Status.executor(type: "Game.Store", address: 0x7000, isActor: true)

    /// A group with two children: one waits for an actor on which a task runs.
    private static let chained = list([
        (.group(unfinished: 2), same), (.running(thread: nil), { $0.parent = 0 }),
        (actor, { ($0.parent, $0.occupant) = (0, 3) }), (.running(thread: nil), { $0.name = "wri\u{1B}ter" }),
        (.task(0), same),
    ])

    @Test("a chain goes from a group to the child that waits, and to the task that runs on its actor")
    func chain() {
        let chain = TaskChain(from: 4, in: Self.chained)
        #expect(chain.positions == [4, 0, 2, 3] && chain.ring == nil)
        #expect(TaskChain(from: 3, in: Self.chained).positions == [3])
        #expect(TaskChain.waiters(for: 3, in: Self.chained) == [2])
        #expect(TaskChain.waiters(for: 2, in: Self.chained) == [0])
        #expect(TaskChain.waiters(for: 0, in: Self.chained) == [4])
    }

    @Test("of the children of a group the chain takes the one that can never resume")
    func stuckChild() {
        let list = Self.list([
            (.group(unfinished: 3), Self.same), (.continuation(.unknown), { $0.parent = 0 }),
            (.continuation(.nobody), { ($0.parent, $0.neverResumes) = (0, true) }),
            (.continuation(.nobody), { ($0.parent, $0.isAsyncLet, $0.neverResumes) = (0, true, true) }),
        ])
        #expect(TaskChain(from: 0, in: list).positions == [0, 2])
    }

    @Test("a ring ends the chain, and so does its limit")
    func ring() {
        let ring = Self.list([
            (.task(1), Self.same), (.group(unfinished: 1), Self.same), (.task(1), { $0.parent = 1 }),
        ])
        let chain = TaskChain(from: 0, in: ring)
        #expect(chain.positions == [0, 1, 2] && chain.ring == 1)
        let long = Self.list((1...300).map { (.task($0 < 300 ? $0 : nil), Self.same) })
        #expect(TaskChain(from: 0, in: long).positions == Array(0..<TaskChain.limit))
    }

    private static func report(_ list: TaskList, why: String) -> TaskReport {
        var snapshot = HeapSnapshot(
            begin: HeapBeginRecord(snapshot: SnapshotID(1), time: 5_000_000_000),
            end: HeapEndRecord(snapshot: SnapshotID(1)))
        snapshot.tasks = list
        var recording = Recording()
        recording.heapSnapshots = [snapshot]
        return TaskReportBuilder.build(
            recording: recording, symbolicator: Symbolicator(recording: recording), why: why)
    }

    @Test("a task is found by its number or its name, and the answer is sentences without control characters")
    func answer() throws {
        let report = Self.report(Self.chained, why: "14")
        #expect(report.why?.map { $0.chain.map { $0.task.ids[0] } } == [[14, 10, 12, 13]])
        #expect(report.notes.contains { $0.contains("no graph of the heap") } && report.why?[0].retained == nil)
        let text = TextTasks.render(report, style: TextStyle())
        #expect(text.contains("task 14: waiting for a task that is waiting for a task group"), "\(text)")
        #expect(text.contains("task 12, a child of its group: waiting for the actor Store"), "\(text)")
        #expect(text.contains(#"task 13 (wri\u{1B}ter), which runs on the actor Store: running"#), "\(text)")
        #expect(!text.contains("\u{1B}"))
        #expect(Self.report(Self.chained, why: "wri\u{1B}ter").why?.first?.waiters.map(\.ids) == [[12]])
        #expect(Self.report(Self.chained, why: "nobody").why == [])
    }

    @Test("what can never be resumed, an actor on which nothing is known to run, and a ring are said")
    func ends() {
        let lost = Self.list([(.continuation(.nobody), { $0.neverResumes = true })])
        let text = TextTasks.render(Self.report(lost, why: "10"), style: TextStyle())
        #expect(text.contains("Nothing refers to the continuation of task 10: it can never be resumed."), "\(text)")
        let alone = TextTasks.render(Self.report(Self.list([(Self.actor, Self.same)]), why: "10"), style: TextStyle())
        #expect(alone.contains("No task is known that runs on the actor."), "\(alone)")
        let ring = Self.list([(.task(1), Self.same), (.task(0), Self.same)])
        let both = TextTasks.render(Self.report(ring, why: "10"), style: TextStyle())
        #expect(both.contains("The last one waits for task 10: these tasks wait for each other."), "\(both)")
        #expect(both.contains("waited for by"), "\(both)")
    }

    @Test("the age of a task is that of its allocation, and a group has the oldest and the newest")
    func age() throws {
        let list = Self.list([
            (.ready, { $0.born = 1_500_000_000...1_600_000_000 }),
            (.ready, { $0.born = 3_900_000_000...4_000_000_000 }), (.ready, Self.same),
        ])
        let group = try #require(Self.report(list, why: "10").groups.first)
        #expect(group.created == TaskReport.Created(oldest: 3.5, newest: 1))
        #expect(TaskWords.age(group) == "1.00 s to 3.50 s")
    }
}
