import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofTrace

/// What a library's references tie together, and what hangs off a finding.
@Suite struct HeapLibraryTests {
    /// A case of XCTest's with its run, as XCTMain leaves them.
    private static func addTestCase(_ type: String, to heap: HeapFixture) -> ObjectID {
        let test = heap.node(type)
        let run = heap.node("XCTest.XCTestCaseRun")
        heap.refer(test, "testRun", run, declaredIn: "XCTest.XCTest")
        heap.refer(run, "test", test, declaredIn: "XCTest.XCTestRun")
        return test
    }

    @Test("a cycle of the user's class that only XCTest's properties make is XCTest's, one row for all classes")
    func libraryCycleOfUsersClass() throws {
        let heap = HeapFixture()
        _ = Self.addTestCase("Game.BoardTests", to: heap)
        heap.refer(Self.addTestCase("Game.CardTests", to: heap), "sut", heap.node("Game.Card"))
        let finding = try #require(heap.findings.only)
        #expect(finding.severity == .note)
        #expect(finding.known == "XCTest cases, their runs and meters")
        #expect(finding.count == 2)
        #expect(finding.tiedByLibrary == true)
        #expect(finding.title == "Retain cycle: XCTest ↺")
    }

    @Test("a test case whose own property closes a cycle stays an error")
    func usersReferenceInLibraryCycle() throws {
        let heap = HeapFixture()
        let test = Self.addTestCase("Game.CardTests", to: heap)
        let card = heap.node("Game.Card")
        heap.refer(test, "sut", card)
        heap.refer(card, "owner", test)
        let finding = try #require(heap.findings.only)
        #expect(finding.severity == .error)
        #expect(finding.tiedByLibrary == nil)
        #expect(finding.references.map { "\($0.from).\($0.path)" } == ["Game.CardTests.sut", "Game.Card.owner"])
        #expect(finding.fix == "make Card.owner weak (weak var owner)")
    }

    @Test("a library's cycle that is on no list names the user's class, and no property that the user cannot change")
    func unknownLibraryCycle() throws {
        let heap = HeapFixture()
        let a = heap.node("Game.Save")
        let b = heap.node("Game.Load")
        heap.refer(a, "__dependencies", b, declaredIn: "Foundation.Operation")
        heap.refer(b, "__dependencies", a, declaredIn: "Foundation.Operation")
        let finding = try #require(heap.findings.only)
        #expect(finding.severity == .error)
        #expect(finding.title.contains("Save") && finding.title.contains("Load"))
        #expect(finding.references.map(\.declaredIn) == ["Foundation.Operation", "Foundation.Operation"])
        let fix = try #require(finding.fix)
        #expect(fix.contains("belong to Foundation") && !fix.contains("__dependencies"))
    }

    /// Observations: the state of a sequence and the closure that waits for the next value hold each other.
    private static func addObservation(to heap: HeapFixture) -> ObjectID {
        let state = heap.node("Observation._ManagedCriticalState<Int>.LockedBuffer", strong: 2)
        let context = heap.closure()
        heap.refer(state, "header.observations", context, calling: "closure #3 in _installTracking", of: .library)
        heap.refer(context, "", state, kind: .capture)
        return state
    }

    @Test("an object of a library that a property of the user's holds stands in title and references")
    func heldByProperty() throws {
        let heap = HeapFixture()
        let job = heap.node("Game.Job")
        let progress = heap.node("Foundation.Progress")
        let context = heap.closure()
        heap.refer(job, "progress", progress)
        heap.refer(progress, "cancellationHandler", context, calling: "closure #1 in Job.init()")
        heap.refer(context, "", job, kind: .capture)
        let finding = try #require(heap.findings.only)
        #expect(finding.title == "Retain cycle: Job ⇄ Progress")
        #expect(
            finding.references.map { "\($0.from).\($0.path) → \($0.to)" } == [
                "Game.Job.progress → Foundation.Progress", "Foundation.Progress.cancellationHandler → Game.Job",
            ])
        #expect(finding.references[1].captures == "self" && finding.references[1].suspect != nil)
    }

    @Test("of what a library's object holds the property that holds the object is the one to change")
    func heldWithoutClosure() throws {
        let heap = HeapFixture()
        let texture = heap.node("Game.Texture")
        let caches = heap.node("Swift._ContiguousArrayStorage<Foundation.NSCache>")
        let cache = heap.node("Foundation.NSCache")
        heap.refer(texture, "caches", caches)
        heap.refer(caches, "", cache, kind: .element)
        heap.refer(cache, "_head.value", texture)
        let finding = try #require(heap.findings.only)
        #expect(finding.title == "Retain cycle: Texture ⇄ NSCache")
        #expect(finding.references.map(\.path) == ["_head.value", "caches[…]"])
        #expect(finding.references[1].suspect != nil && finding.references[0].suspect == nil)
    }

    @Test("a library's cycle that hangs off a reported one is kept by it and no row of its own")
    func libraryCycleHangingOff() throws {
        let heap = HeapFixture()
        let model = heap.node("Game.Model", strong: 1)
        heap.refer(model, "me", model)
        heap.refer(model, "_$observationRegistrar.extent", Self.addObservation(to: heap))
        let finding = try #require(heap.findings.only)
        #expect(finding.title == "Retain cycle: Model ↺")
        #expect(finding.objects["Observation._ManagedCriticalState<Int>.LockedBuffer"] == 1)
        #expect(finding.objects.values.reduce(0, +) == 3)
    }

    @Test("a library's cycle by itself names the user's object that it keeps")
    func libraryCycleKeepingUsersObject() throws {
        let heap = HeapFixture()
        let state = Self.addObservation(to: heap)
        heap.refer(state, "header.model", heap.node("Game.Model"))
        let finding = try #require(heap.findings.only)
        #expect(finding.title.hasSuffix(", keeps Model"))
        #expect(finding.message.hasSuffix("It keeps Model alive."))
    }

    @Test("a lost timer's fix names the closure that keeps the user's object, and no retain")
    func lostTimer() throws {
        let heap = HeapFixture()
        let timer = heap.node("Foundation.Timer")
        let game = heap.node("Game.Board")
        heap.refer(timer, "_fire", game, calling: "closure #1 in Board.start()")
        let finding = try #require(heap.findings.only)
        #expect(finding.severity == .error)
        #expect(finding.title == "Leak: Timer, keeps Board")
        #expect(
            finding.fix
                == "capture Board weakly in the closure at Puzzle.swift:118: Foundation does not free a Timer, "
                + "whether or not it was invalidated")
    }

    @Test("memory of a library's work item names the object that its closure keeps, and no function of the runtime")
    func workItem() throws {
        let heap = HeapFixture()
        let stack = heap.stack("_os_object_alloc_realized", "dispatch_after", of: .library)
        let item = heap.raw(size: 128, stack: stack)
        let context = heap.closure()
        heap.refer(item, "", context, kind: .raw, ownership: .conservative)
        heap.refer(context, "", heap.node("Game.Session"), kind: .capture)
        let finding = try #require(heap.findings.only)
        #expect(finding.title == "Leaked memory from dispatch_after, keeps Session")
        #expect(
            finding.fix
                == "end what keeps Session when it is done (cancel, finish, invalidate), or capture Session weakly in "
                + "the closure that it runs")
    }

    @Test("the block of a work item has the place where the item is made")
    func cycleOfWorkItem() throws {
        let heap = HeapFixture()
        let log = heap.node("Game.Log")
        let item = heap.node("Dispatch.DispatchWorkItem", stack: heap.stack("Log.schedule()", "Log.write(_:)"))
        let context = heap.closure()
        heap.refer(log, "pending", item)
        heap.refer(item, "_block", context)
        heap.refer(context, "", log, kind: .capture)
        let finding = try #require(heap.findings.only)
        #expect(
            finding.fix
                == "release the work item that Log.schedule() makes at Game.swift:10 when it has run, or capture self "
                + "weakly in it if something else keeps self alive until then")
    }

    @Test("a closure that captures the user's object and serves as a library's context is the user's")
    func usersClosureWithinLibrary() throws {
        let heap = HeapFixture()
        let model = heap.node("Game.Model")
        let extent = heap.node("Observation.ObservationRegistrar.Extent")
        let context = heap.closure()
        heap.refer(model, "_$observationRegistrar.extent", extent)
        heap.refer(extent, "observations", context, calling: "closure #3 in _installTracking", of: .library)
        heap.refer(context, "", extent, kind: .capture)
        heap.refer(context, "", model, kind: .capture, calling: "closure #1 in Model.watch()")
        let finding = try #require(heap.findings.only)
        #expect(finding.references.last?.captures == "self")
        #expect(finding.fix == "capture self weakly ([weak self]) in the closure at Puzzle.swift:118")
    }
}
