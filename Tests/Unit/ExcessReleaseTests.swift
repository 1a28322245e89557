import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

/// Which releases of a history may be one too many. Each row is one change: what, and the functions with their lines, innermost
/// first.
@Suite struct ExcessReleaseTests {
    private struct Row {
        var kind: CountChangeRecord.Kind
        var functions: [(name: String, line: Int)]
        var times: UInt32 = 1
        /// Frames of the library above them.
        var above: [String] = []
    }

    private func born(_ functions: (String, Int)...) -> Row { Row(kind: .born, functions: functions) }
    private func retain(_ functions: (String, Int)..., times: UInt32 = 1) -> Row {
        Row(kind: .retain, functions: functions, times: times)
    }
    private func release(_ functions: (String, Int)..., times: UInt32 = 1, above: [String] = []) -> Row {
        Row(kind: .release, functions: functions, times: times, above: above)
    }

    private func steps(_ rows: [Row]) -> [RefCountEvent] {
        rows.compactMap { row in
            var frames = row.above.map { SymbolicatedFrame(function: $0, origin: .runtime) }
            frames += row.functions.map { SymbolicatedFrame(function: $0.name, file: "game.swift", line: $0.line) }
            return RefCountEvent(
                CountChangeRecord(kind: row.kind, object: 16, times: row.times),
                stack: SymbolicatedStack(frames: frames))
        }
    }

    private func excess(_ rows: [Row], _ excess: Int = 1) -> (functions: [String], isProved: Bool) {
        let found = ExcessReleases(steps(rows), excess: excess)
        return (found.sites.map { $0.function ?? "?" }, found.isProved)
    }

    @Test("the only release without a retain of its function is proved")
    func onlyOne() {
        let (functions, isProved) = excess([
            born(("Atlas.load()", 3)), retain(("draw()", 5)), release(("draw()", 5)), release(("visit()", 9)),
        ])
        #expect(functions == ["visit()"] && isProved)
    }

    @Test("of two releases of one retain neither is proved, whichever comes last")
    func twoOfOneRetain() {
        let (functions, isProved) = excess([
            born(("Atlas.load()", 3)), retain(("submit()", 5)), release(("progress()", 7)), release(("done()", 9)),
        ])
        #expect(functions == ["progress()", "done()"] && !isProved)
    }

    @Test("a release by the function that retained is no pair of its own behind another function's release")
    func assignmentToMemoryThatWasGiven() {
        let (functions, isProved) = excess([
            born(("Atlas.load()", 3)), retain(("Pool.take(_:)", 7), ("draw()", 12)),
            release(("Pool.give()", 8), ("draw()", 12)), release(("Pool.take(_:)", 7), ("draw()", 12)),
        ])
        #expect(functions == ["Pool.give()", "Pool.take(_:)"] && !isProved)
    }

    @Test("nor does a second retain by it make it one")
    func assignmentOfTheSameObject() {
        let take = [("Pool.take(_:)", 7), ("draw()", 12)]
        let give = release(("Pool.give()", 8), ("draw()", 12))
        let (functions, isProved) = excess([
            born(("Atlas.load()", 3)), Row(kind: .retain, functions: take), give, Row(kind: .retain, functions: take),
            Row(kind: .release, functions: take), give,
        ])
        #expect(Set(functions) == ["Pool.give()", "Pool.take(_:)"] && !isProved)
    }

    @Test("a retain for the call that releases too often is in order, one that lasts over statements may not be")
    func retainAroundACall() {
        func rows(_ lines: [Int]) -> [Row] {
            [
                born(("Atlas.load()", 3)), retain(("evict()", lines[0])),
                release(("callback()", 20), ("evict()", lines[1])),
                release(("evict()", lines[2])),
            ]
        }
        #expect(excess(rows([6, 6, 6])) == (["callback()"], true))
        #expect(excess(rows([6, 6, 4])) == (["callback()"], true))
        #expect(excess(rows([5, 6, 7])) == (["callback()", "evict()"], false))
    }

    @Test("a slot that a loop fills again behind the call is no variable")
    func slotInALoop() {
        let (functions, isProved) = excess([
            born(("Atlas.load()", 3)), retain(("loop()", 5)), release(("give()", 20), ("loop()", 6)),
            release(("loop()", 5)),
        ])
        #expect(functions == ["give()", "loop()"] && !isProved)
    }

    @Test("two callers of one helper are told apart")
    func callersOfAHelper() {
        let manual = ["Unmanaged.release()"]
        let found = ExcessReleases(
            steps([
                born(("Cache.fill()", 3)),
                Row(kind: .retain, functions: [("keep()", 1), ("open()", 5)], above: ["Unmanaged.retain()"]),
                release(("drop()", 2), ("close()", 6), ("run()", 9), above: manual),
                release(("drop()", 2), ("evict()", 7), ("run()", 9), above: manual),
            ]), excess: 1)
        #expect(!found.isProved)
        #expect(found.sites.map(\.caller) == ["close() at game.swift:6", "evict() at game.swift:7"])
    }

    @Test("who makes more releases than there were retains is proved, however many were right")
    func moreThanRetained() {
        let (functions, isProved) = excess([
            born(("Hub.add()", 3)), retain(("subscribe()", 5)), release(("deliver()", 9), times: 2),
        ])
        #expect(functions == ["deliver()"] && isProved)
    }

    @Test("all releases are proved where as many references are left in memory")
    func asManyAsAreLeft() {
        let rows = [
            born(("load()", 3)), retain(("Scene.add()", 5)), release(("first()", 9)), release(("second()", 10)),
        ]
        #expect(excess(rows, 2) == (["first()", "second()"], true))
        #expect(excess(rows, 1) == (["first()", "second()"], false))
    }

    @Test("what containers release, and who was handed a new object, is in order")
    func containersAndNewObjects() {
        let (functions, isProved) = excess([
            born(("Board.init()", 1), ("make()", 2), ("run()", 5)), retain(("Deck.add(_:)", 8), ("run()", 6)),
            retain(("update()", 9), ("run()", 6)),
            release(
                ("update()", 9), ("run()", 6),
                above: ["swift_arrayDestroy", "_ContiguousArrayStorage.deinit", "_swift_release_dealloc"]),
            release(("drop()", 11), ("run()", 6), above: ["Unmanaged.release()"]), release(("run()", 7)),
        ])
        #expect(functions == ["drop()"] && isProved)
    }

    @Test("a deinitializer gives back what the other functions of its type stored")
    func deinitializer() {
        let stored = [born(("load()", 3)), retain(("Session.init(_:)", 5))]
        let deinitialized = release(("Session.deinit", 6), ("close()", 8))
        #expect(excess(stored + [deinitialized, release(("evict()", 9))]) == (["evict()"], true))
        let bag = excess(stored + [release(("Session.remove()", 7)), deinitialized])
        #expect(bag.functions == ["Session.remove()", "Session.deinit"] && !bag.isProved)
    }

    @Test("where pairs leave fewer releases than were too many, what is uncertain is doubted again")
    func tooFewAreLeft() {
        let (functions, isProved) = excess([
            born(("make()", 2), ("run()", 5)), release(("run()", 7)),
        ])
        #expect(functions == ["run()"] && isProved)
    }

    @Test("changes without a stack prove nothing")
    func unseen() {
        let life = [
            CountChangeRecord(kind: .born, object: 16, strong: 1, time: 1),
            CountChangeRecord(kind: .release, object: 16, strong: 1, time: 2),
            CountChangeRecord(kind: .release, object: 16, strong: 0, time: 3),
        ]
        let steps = RefCountEvent.steps(of: life) { _ in
            SymbolicatedStack(frames: [SymbolicatedFrame(function: "drop()")])
        }
        #expect(steps.map(\.isUnseen) == [false, true, false, false])
        #expect(!ExcessReleases(steps, excess: 1).isProved)
    }

    @Test("which of a function's releases it is stays open where they stand at several lines")
    func linesOfOneFunction() {
        let found = ExcessReleases(
            steps([
                born(("Atlas.load()", 3)), retain(("run()", 5)), release(("run()", 6)), release(("run()", 7)),
            ]), excess: 1)
        #expect(found.isProved && found.proved == [])
        #expect(found.sites.map(\.function) == ["run()"] && found.sites.map(\.place) == [nil])
    }
}
