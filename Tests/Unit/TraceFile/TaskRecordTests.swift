import CTraceFormat
import GameprofTestSupport
import Testing

@testable import GameprofTrace

/// The records of tasks, and how a reader puts them together.
@Suite struct TaskRecordTests {
    private static let statuses: [TaskFacts.Status] = [
        .unknown, .running(thread: nil), .running(thread: ThreadID(7)), .ready,
        .executor(type: "", address: 0x7000, isActor: false),
        .executor(type: "Game.Desk", address: 1 << 47, isActor: true), .task(nil), .task(0), .task(9),
        .group(unfinished: 70_000),
        .continuation(.unknown), .continuation(.nobody), .continuation(.property(type: "Game.Desk", name: "waiting")),
        .continuation(.variable(address: 0x7008, isSure: true)),
        .continuation(.variable(address: 0x7008, isSure: false)),
    ]

    private static func decoded(_ bytes: [UInt8]) -> TraceRecord? {
        bytes.withUnsafeBytes { RecordDecoder.decode($0) }
    }

    @Test("whatever a task waits for is read as it was written", arguments: statuses)
    func roundTrip(status: TaskFacts.Status) {
        for name in [nil, "", "loader \u{1F0CF}"] {
            var task = TaskFacts(id: .max, status: status)
            (task.name, task.resume) = (name, [1, 2, 3])
            #expect(Self.decoded(RecordBytes.heap(.task(task))) == .heap(.task(task)))
            (task.address, task.continuation, task.occupant) = (0x7f00_0010, 0x9000, 0)
            #expect(Self.decoded(RecordBytes.heap(.task(task))) == .heap(.task(task)))
        }
    }

    @Test("a task with more callers and longer texts than a record holds is shortened")
    func longTask() throws {
        let text = String(repeating: "é", count: 100_000)
        var task = TaskFacts(id: 1, status: .continuation(.property(type: text, name: text)))
        (task.name, task.resume, task.begin) = (text, [UInt64](repeating: 5, count: 10_000), [6])
        guard case .heap(.task(let read))? = Self.decoded(RecordBytes.heap(.task(task))) else {
            Issue.record("no task")
            return
        }
        #expect(read.isCutShort && read.resume.count == 512 && read.begin == [6])
        let name = try #require(read.name)
        #expect(!name.isEmpty && text.hasPrefix(name.dropLast()))
    }

    @Test("a record that is too short for what it says, or says what nobody knows, is no task")
    func damaged() {
        let whole = RecordBytes.heap(.task(TaskFacts(id: 1, status: .ready)))
        let size = MemoryLayout<gp_task>.size
        for (offset, value) in [(size - 8, UInt8(200)), (size - 7, 200), (size - 5, 200), (4, UInt8(size))] {
            var bytes = whole
            bytes[offset] = value
            let isOther = offset == size - 7
            #expect((Self.decoded(bytes) == nil) != isOther, "\(offset)")
        }
    }

    private func snapshots(_ lists: [[TraceRecord.Heap]]) throws -> [HeapSnapshot] {
        var assembler = SnapshotAssembler()
        for (index, records) in lists.enumerated() {
            let number = SnapshotID(UInt32(index + 1))
            try assembler.note(.begin(HeapBeginRecord(snapshot: number)))
            for record in records { try assembler.note(record) }
            try assembler.note(.end(HeapEndRecord(snapshot: number)))
        }
        return assembler.finish()
    }

    @Test("relations to tasks that a damaged trace lacks are dropped")
    func relations() throws {
        var first = TaskFacts(id: 1, status: .task(1))
        (first.parent, first.occupant) = (2, 2)
        let second = TaskFacts(id: 2, status: .task(2))
        let list = try #require(
            try snapshots([[.tasks(TaskList()), .task(first), .task(second)]]).first?.tasks)
        #expect(list.tasks.map(\.status) == [.task(1), .task(nil)] && list.tasks[0].parent == nil)
        #expect(list.tasks[0].occupant == nil)
        #expect(try snapshots([[.task(first)]]).first?.tasks == nil)
    }

    @Test("a task was made when its stack last allocated its block, between the times around that")
    func births() throws {
        var builder = TraceBuilder()
        let (own, other) = (builder.stack(0x10), builder.stack(0x20))
        for (time, stack, address) in [(10, own, 0x500), (20, own, 0x600), (30, other, 0x500), (40, own, 0x500)] {
            builder.time(UInt64(time))
            builder.append(
                .allocation(AllocationRecord(size: 300, stack: stack, addressBits: UInt32(address >> 4))))
        }
        builder.append(.heap(.begin(HeapBeginRecord(snapshot: SnapshotID(1), time: 35))))
        builder.append(.heap(.tasks(TaskList())))
        for (address, stack) in [(0x500, own), (0x600, own), (0x700, own), (0x500, .none), (0x500, StackID(9999))] {
            var task = TaskFacts(id: 1, status: .ready)
            (task.address, task.allocation) = (UInt64(address), stack)
            builder.append(.heap(.task(task)))
        }
        builder.append(.heap(.end(HeapEndRecord(snapshot: SnapshotID(1)))))
        let trace = try TemporaryTrace(builder)
        var recording = try RecordingReader.readHeap(path: trace.path)
        try recording.noteBirths(ofTasksIn: trace.path)
        #expect(recording.heapSnapshots[0].tasks?.tasks.map(\.born) == [10...20, 20...30, nil, nil, nil])
    }

    @Test("of several snapshots the tasks of the last one that has some are kept")
    func lastOnes() throws {
        let tasks: [TraceRecord.Heap] = [.tasks(TaskList()), .task(TaskFacts(id: 1))]
        #expect(try snapshots([tasks, tasks, []]).map { $0.tasks?.tasks.count } == [nil, 1, nil])
    }
}
