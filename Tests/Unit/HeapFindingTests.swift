import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct HeapFindingTests {
    @Test func namesACycleThroughAClosureAndMarksItsCapture() throws {
        let heap = HeapFixture()
        heap.addUndoCycle(extraClosures: 3, from: heap.stack("UndoCycle.run()", "Fault.main()"))
        let finding = try #require(heap.findings.only)
        #expect(finding.kind == .retainCycle)
        #expect(finding.severity == .error)
        #expect(finding.references.map(\.from) == ["Game.Puzzle", "Game.UndoManager"])
        #expect(finding.references.map(\.field) == ["undoManager", "undoStack"])
        #expect(finding.references.map(\.path) == ["undoManager", "undoStack[…]"])
        #expect(finding.references.last?.closure == "closure #1 in Puzzle.tilt(to:countOffset:)")
        #expect(finding.references.last?.captures == "self")
        #expect(finding.references.map { $0.suspect != nil } == [false, true])
        #expect(finding.objects["Game.Puzzle"] == 1)
        #expect(finding.objects["closure context"] == 4)
        #expect(finding.objects.values.reduce(0, +) == 8)
        #expect(finding.allocatedBy?.frames.first?.function == "UndoCycle.run()")
        #expect(finding.fix?.contains("[weak self]") == true)
    }

    @Test func marksTheBackReference() throws {
        let heap = HeapFixture()
        let tree = heap.node("Game.Tree")
        let storage = heap.node("Swift._ContiguousArrayStorage<Game.Leaf>")
        heap.refer(tree, "leaves", storage)
        for _ in 0..<3 {
            let leaf = heap.node("Game.Leaf")
            heap.refer(storage, "", leaf, kind: .element)
            heap.refer(leaf, "parent", tree)
        }
        let finding = try #require(heap.findings.only)
        let suspect = try #require(finding.references.last)
        #expect(suspect.from == "Game.Leaf" && suspect.field == "parent" && suspect.to == "Game.Tree")
        #expect(suspect.suspect?.reason == "backReferenceName")
        #expect(finding.fix?.contains("weak var parent") == true)
    }

    @Test("of a process made by fork a finding has something that was allocated after the fork")
    func forked() {
        let heap = HeapFixture()
        let before = heap.stack("Server.start()")
        let after = heap.stack("Worker.run()")
        heap.fork = ForkRecord(parent: 4711, lastStack: before)
        func cycle(_ type: String, _ first: StackID, _ second: StackID) {
            let (one, other) = (heap.node(type, stack: first), heap.node(type, stack: second))
            heap.refer(one, "next", other)
            heap.refer(other, "next", one)
        }
        cycle("Game.Parents", before, before)
        cycle("Game.Childs", after, after)
        cycle("Game.Boths", before, after)
        heap.refer(heap.node("Game.Held", stack: before), "item", heap.node("Game.Item", stack: after))
        heap.node("Game.Leaf", stack: before)
        _ = heap.raw(size: 64, stack: before)
        #expect(Set(heap.findings.map(\.type)) == ["Game.Childs", "Game.Boths", "Game.Held"])
        heap.fork = nil
        #expect(heap.findings.count == 6)
    }

    @Test func weakUnownedAndUnmanagedReferencesMakeNoCycle() {
        for ownership in [Ownership.weak, .unowned, .unmanaged] {
            let heap = HeapFixture()
            let a = heap.node("Game.A")
            let b = heap.node("Game.B")
            heap.refer(a, "b", b)
            heap.refer(b, "a", a, ownership: ownership)
            #expect(heap.findings.map(\.kind) == [.leak])
        }
    }

    @Test("what lost its last holder may lie in memory that was not deinitialized, or in an object on the stack")
    func lostObjects() throws {
        func fix(_ type: String, _ stack: String...) throws -> String? {
            let heap = HeapFixture()
            heap.node(type, stack: heap.stack(stack.map { SymbolicatedFrame(function: $0) }))
            return try #require(heap.findings.only).fix
        }
        let memory = "deinitialize memory before deallocating it"
        let retain = "(Unmanaged.passRetained, retain())"
        let maker = "the Session that made it (which -O may have put on the stack)"
        #expect(try fix("Game.Item", "Item.init()", "run()") == "\(memory), or release the last retain of it \(retain)")
        #expect(
            try fix("Game.Item", "Item.init()", "Session.init(_:)", "run()")
                == "\(memory), or release the last retain of it or of \(maker) \(retain)")
        let storage = "Swift._ContiguousArrayStorage<Swift.Int>"
        #expect(
            try fix(storage, "Session.init()", "run()") == "\(memory), or release the last retain of \(maker) \(retain)"
        )
        #expect(try fix(storage, "run()") == memory)
    }

    @Test func countsWhatHangsOffWithItsCycle() throws {
        let heap = HeapFixture()
        let a = heap.node("Game.A", size: 10)
        heap.refer(a, "me", a)
        let data = heap.raw(size: 1000)
        let child = heap.node("Game.Child", size: 20)
        heap.refer(a, "child", child)
        heap.refer(child, "", data, kind: .raw, ownership: .conservative)
        let finding = try #require(heap.findings.only)
        #expect(finding.kind == .retainCycle)
        #expect(finding.bytes == 1030)
        #expect(finding.objects == ["Game.A": 1, "Game.Child": 1, "memory": 1])
    }

    @Test func tellsLeakFromOverRetainFromRawLeak() {
        let heap = HeapFixture()
        heap.node("Game.One", strong: 1)
        heap.node("Game.Three", strong: 3)
        _ = heap.raw(size: 1234, stack: heap.stack("MallocLeak.run()"))
        let kinds = Dictionary(uniqueKeysWithValues: heap.findings.map { ($0.type, $0.kind) })
        #expect(kinds == ["Game.One": .leak, "Game.Three": .overRetain, "memory": .rawLeak])
    }

    @Test func aHeldObjectWithTooManyRetainsIsOverRetainedUnlessItsCountIsUnsure() {
        for (flags, expected) in [([.swift], 2), ([.swift, .countUnsure], 1)] as [(HeapObject.Flags, Int)] {
            let heap = HeapFixture()
            let owner = heap.node("Game.Owner")
            heap.refer(owner, "held", heap.node("Game.Held", strong: 2, flags: flags))
            #expect(heap.findings.count == expected)
        }
    }

    /// A word in memory of unknown type may be a reference; counts tell that it is none.
    @Test func aWordThatMayBeAReferenceMakesNoCycleWhereOthersExplainTheCount() {
        for (retains, expected) in [(1, [.leak]), (2, [.leak, .retainCycle])] as [(UInt32, Set<Finding.Kind>)] {
            let heap = HeapFixture()
            let owner = heap.node("Game.Owner")
            let process = heap.node("Game.Process", strong: retains)
            let context = heap.node("Game.Context")
            heap.refer(owner, "process", process)
            heap.refer(process, "context", context)
            heap.refer(context, "info", process, ownership: .conservative)
            #expect(Set(heap.findings.map(\.kind)) == expected)
        }
    }

    @Test func reachableObjectsAreNoLeaks() {
        let heap = HeapFixture()
        heap.node("Game.Live", flags: [.swift, .reachable])
        #expect(heap.findings.isEmpty)
    }

    @Test func aCycleThatCountsProveLostIsFoundAlthoughAWordReachesIt() {
        let heap = HeapFixture()
        let a = heap.node("Game.A", flags: [.swift, .reachable, .countClosed])
        heap.refer(a, "me", a)
        #expect(heap.findings.map(\.kind) == [.retainCycle])
    }

    @Test func noConclusionIsDrawnWhenThreadsWereMissed() {
        let heap = HeapFixture()
        heap.node("Game.A")
        var recording = heap.recording
        recording.heapSnapshots[0].begin.threadsMissed = 2
        let report = Report(ReportBuilder.build(recording: recording, symbolicator: heap))
        #expect(report.findings.isEmpty)
        #expect(report.capture.problems.contains { $0.contains("2 threads") })
    }

    @Test func `a cycle is a warning, and leaks are not measured, where memory was not read`() {
        let heap = HeapFixture()
        let a = heap.node("Game.A")
        heap.refer(a, "me", a)
        var recording = heap.recording
        recording.heapSnapshots[0].unread = "4.0 KB of memory (the core file is cut off) could not be read"
        let report = Report(ReportBuilder.build(recording: recording, symbolicator: heap))
        #expect(report.findings.map(\.severity) == [.warning])
        #expect(report.findings.first?.message.contains("Memory that was not read") == true)
        #expect(report.heap == nil)
        #expect(
            report.capture.problems.first?.hasPrefix(
                "There is no conclusion about leaks: 4.0 KB of memory (the core file is cut off) could not be read. ")
                == true)
    }

    @Test func aLastSnapshotThatSaysNothingIsToldAlthoughOneBeforeItIsSound() throws {
        let heap = HeapFixture()
        heap.node("Game.A", flags: [.swift, .reachable])
        var recording = heap.recording
        let sound = try #require(recording.heapSnapshots.only)
        recording.heapSnapshots.append(sound)
        recording.heapSnapshots[1].end?.isCutShort = true
        recording.heapSnapshots[1].end?.reason = "no copy of the process could be made"
        let report = Report(ReportBuilder.build(recording: recording, symbolicator: heap))
        #expect(
            report.capture.problems == ["The last heap snapshot gives no result: no copy of the process could be made."]
        )
        #expect(report.heap != nil)
    }

    @Test func sizesThatCannotBeAddedAreNoTrap() {
        let heap = HeapFixture()
        let held = heap.raw(size: .max)
        heap.refer(heap.raw(size: .max), "", held, kind: .raw)
        #expect(heap.findings.count == 1)
    }

    @Test func whatADeinitialisedObjectLeavesIsNoLeak() {
        let heap = HeapFixture()
        heap.node("Game.Gone", strong: 0, flags: [.swift, .deinited])
        #expect(heap.findings.isEmpty)
    }

    @Test("counts that no program has, from a damaged trace, do not end the analysis")
    func impossibleCounts() throws {
        let heap = HeapFixture()
        let first = heap.node("Game.First", strong: .max)
        let second = heap.node("Game.Second", strong: .max)
        heap.refer(first, "second", second)
        heap.refer(second, "first", first)
        #expect(heap.findings.only?.kind == .retainCycle)
    }
}

extension Collection {
    /// The element of a collection with exactly one.
    var only: Element? { count == 1 ? first : nil }
}
