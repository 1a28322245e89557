import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

/// A task that waits holds itself and what its frames hold: only what ends it frees a group that it belongs to.
@Suite struct WaitingTaskTests {
    /// With its frames and the context of its closure. `holds`: what its frames hold; `captures`: what its closure does.
    @discardableResult
    private static func task(
        _ heap: HeapFixture, handles: UInt32 = 1, holds: [ObjectID] = [], captures: [ObjectID] = [],
        running closure: String = "closure #1 in Worker.start()"
    ) -> ObjectID {
        let task = heap.node("", kind: .task, strong: handles + 1, flags: [.swift, .countUnsure])
        let (thunk, context) = (heap.closure(), heap.closure())
        let (frame, inner) = (heap.raw(size: 1_016), heap.raw(size: 1_016))
        heap.refer(task, "", thunk, kind: .task, ownership: .conservative)
        heap.refer(thunk, "", context, kind: .capture, calling: closure)
        for object in captures { heap.refer(context, "", object, kind: .capture) }
        heap.refer(task, "", frame, kind: .task, ownership: .conservative)
        for (from, to) in [(frame, task), (frame, inner), (inner, frame)] { raw(heap, from, to) }
        for object in holds { raw(heap, inner, object) }
        return task
    }

    private static func raw(_ heap: HeapFixture, _ from: ObjectID, _ to: ObjectID) {
        heap.refer(from, "", to, kind: .raw, ownership: .conservative)
    }

    /// A worker with a task and the stream that it reads.
    private static func addWorker(to heap: HeapFixture, strong: UInt32, capturesSelf: Bool) -> ObjectID {
        let worker = heap.node("Game.Worker", strong: strong, flags: [.swift, .countUnsure])
        let storage = heap.node("Swift.AsyncStream<Swift.Int>._Storage", strong: 2, flags: [.swift, .countUnsure])
        let array = heap.node("Swift._ContiguousArrayStorage<Swift.UnsafeContinuation<Swift.Int, Swift.Never>>")
        let task = Self.task(heap, holds: [storage], captures: capturesSelf ? [worker] : [])
        heap.refer(worker, "task", task)
        heap.refer(worker, "feed", storage)
        heap.refer(storage, "state", array)
        heap.refer(array, "", task, kind: .element, ownership: .conservative)
        return worker
    }

    @Test("a task that reads a stream goes when that is finished, and both changes are needed")
    func stream() throws {
        let heap = HeapFixture()
        let worker = Self.addWorker(to: heap, strong: 2, capturesSelf: true)
        let reporter = heap.node("Game.Reporter")
        heap.refer(worker, "reporter", reporter)
        heap.refer(reporter, "owner", worker)
        let finding = try #require(heap.findings.only)
        #expect(
            Set(finding.fixes ?? []) == [
                "finish the stream of Worker.feed that the task at Puzzle.swift:118 reads, or cancel Worker.task, "
                    + "when the Worker is done",
                "make Reporter.owner weak (weak var owner)",
            ])
        #expect(finding.fix?.hasSuffix(": both changes are needed") == true)
        #expect(finding.fixFrees == Finding.Freed(blocks: 9, of: 9))
    }

    @Test("where what the other changes free may end the wait, that is said")
    func deinitMayEndIt() throws {
        let heap = HeapFixture()
        let worker = Self.addWorker(to: heap, strong: 2, capturesSelf: true)
        let board = heap.node("Game.Board")
        heap.refer(worker, "owner", board)
        heap.refer(board, "worker", worker)
        let finding = try #require(heap.findings.only)
        #expect(finding.fixes?.contains("make Worker.owner weak (weak var owner)") == true, "\(finding.fixes ?? [])")
        #expect(finding.fixFrees == Finding.Freed(blocks: 9, of: 9, unlessDeinit: true))
        #expect(
            FindingFix.lines(of: finding).remark?.hasPrefix("both changes are needed, unless a deinit ends the wait")
                == true)
    }

    @Test("a task that captures weakly keeps nothing, and is not freed with what has its handle")
    func weakCapture() throws {
        let heap = HeapFixture()
        let worker = Self.addWorker(to: heap, strong: 1, capturesSelf: false)
        let reporter = heap.node("Game.Reporter")
        heap.refer(worker, "reporter", reporter)
        heap.refer(reporter, "owner", worker)
        let finding = try #require(heap.findings.first { $0.kind == .retainCycle })
        #expect(finding.fix == "make Reporter.owner weak (weak var owner)")
        // The task, its frames, and what these hold stay.
        #expect(finding.fixFrees?.blocks == 2, "\(String(describing: finding.fixFrees))")
    }

    @Test("a continuation that a property holds is resumed, whoever waits for the task")
    func continuation() throws {
        let heap = HeapFixture()
        let inbox = heap.node("Game.Inbox", strong: 2, flags: [.swift, .countUnsure])
        let pump = Self.task(heap, captures: [inbox], running: "closure #1 in Inbox.start()")
        let closer = Self.task(heap, holds: [pump], captures: [inbox], running: "closure #2 in Inbox.start()")
        heap.refer(inbox, "pump", pump)
        heap.refer(inbox, "closer", closer)
        heap.refer(pump, "", closer, kind: .task, ownership: .conservative)
        let canary = heap.node("Swift.CheckedContinuationCanary")
        heap.refer(inbox, "waiting", canary)
        heap.refer(canary, "", pump, kind: .element, ownership: .conservative)
        let finding = try #require(heap.findings.only)
        #expect(
            finding.fix == "resume the continuation in Inbox.waiting that the task at Puzzle.swift:118 waits for, "
                + "at the latest when the Inbox is done")
        #expect(finding.fixFrees == Finding.Freed(blocks: 12, of: 12))
    }

    @Test("a task that has ended keeps its result alone")
    func ended() throws {
        let heap = HeapFixture()
        let worker = heap.node("Game.Worker")
        let task = heap.node("", kind: .task)
        heap.refer(worker, "task", task)
        heap.refer(task, "", worker, kind: .task, ownership: .conservative)
        let finding = try #require(heap.findings.only)
        #expect(finding.fix?.contains("Worker.task") == true, "\(finding.fix ?? "")")
        #expect(finding.fix?.contains("wait") == false, "\(finding.fix ?? "")")
        #expect(finding.fixFrees == Finding.Freed(blocks: 2, of: 2))
    }

    @Test("what the frames of two rows' tasks hold is counted for neither twice")
    func sharedByFrames() throws {
        let heap = HeapFixture()
        let table = heap.node("Game.Table", strong: 2, flags: [.swift, .countUnsure])
        for type in ["Game.Worker", "Game.Miner"] {
            let worker = heap.node(type, strong: 2, flags: [.swift, .countUnsure])
            let helper = heap.node(type + "Helper")
            let task = Self.task(heap, holds: [table], captures: [worker], running: "closure #1 in \(type).start()")
            heap.refer(worker, "task", task)
            heap.refer(worker, "helper", helper)
            heap.refer(helper, "owner", worker)
        }
        let cycles = heap.findings.filter { $0.kind == .retainCycle }
        #expect(cycles.count == 2)
        #expect(cycles.allSatisfy { ($0.fixFrees?.blocks ?? 0) <= 8 })
    }

    @Test("where one of two tasks waits for something unknown, the other's stream is no fix")
    func unknownChild() throws {
        let heap = HeapFixture()
        let desk = heap.node("Game.Desk", strong: 2, flags: [.swift, .countUnsure])
        let storage = heap.node("Swift.AsyncStream<Swift.Int>._Storage", strong: 2, flags: [.swift, .countUnsure])
        let array = heap.node("Swift._ContiguousArrayStorage<Swift.UnsafeContinuation<Swift.Int, Swift.Never>>")
        let parent = Self.task(heap, captures: [desk])
        let children = [[storage], []].map { Self.task(heap, holds: $0, running: "closure #1 in Desk.run()") }
        heap.refer(desk, "task", parent)
        heap.refer(desk, "feed", storage)
        heap.refer(storage, "state", array)
        heap.refer(array, "", children[0], kind: .element, ownership: .conservative)
        for child in children {
            heap.refer(parent, "", child, kind: .task, ownership: .conservative)
            heap.refer(child, "", parent, kind: .task, ownership: .conservative)
        }
        let finding = try #require(heap.findings.first)
        #expect(finding.fix?.contains("finish the stream") == false, "\(finding.fix ?? "")")
    }

    @Test("tasks whose frames have old words of one another are counted one by one")
    func strayWords() throws {
        let heap = HeapFixture()
        let inner = (0..<4).map { _ in heap.raw(size: 1_016) }
        let tasks = inner.map { inner in
            let task = Self.task(heap)
            heap.refer(task, "", inner, kind: .task, ownership: .conservative)
            Self.raw(heap, inner, task)
            return task
        }
        for (place, block) in inner.enumerated() where place > 0 {
            Self.raw(heap, block, tasks[place - 1])
            Self.raw(heap, block, inner[place - 1])
        }
        Self.raw(heap, inner[1], tasks[3])
        heap.refer(tasks[2], "", tasks[0], kind: .task, ownership: .conservative, offset: 16)
        let finding = try #require(heap.findings.only)
        #expect(finding.count == tasks.count && finding.objects["task"] == tasks.count, "\(finding)")
    }
}
