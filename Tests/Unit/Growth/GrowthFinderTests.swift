import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct GrowthFinderTests {
    private let heap = HeapFixture()

    /// A recording with a snapshot after each repetition: live blocks of each stack and type.
    private func recording(
        _ rows: [(type: String, stack: StackID, counts: [UInt64])], names: (Int) -> String = { "game #\($0 + 1)" }
    ) -> Recording {
        var recording = heap.recording
        let ids = rows.map { heap.typeID($0.type) }
        recording.types = heap.recording.types
        for position in rows[0].counts.indices {
            let id = SnapshotID(UInt32(position + 1))
            let census = rows.indices.map { row in
                HeapCensusRecord(
                    type: ids[row], stack: rows[row].stack, count: rows[row].counts[position],
                    bytes: rows[row].counts[position] * 32)
            }
            recording.heapSnapshots.append(
                HeapSnapshot(
                    begin: HeapBeginRecord(trigger: .onRequest, snapshot: id, name: names(position)), census: census,
                    end: HeapEndRecord(snapshot: id)))
        }
        return recording
    }

    private func findings(_ recording: Recording, besides others: [Finding] = []) -> [Finding] {
        GrowthFinder(recording: recording, symbolicator: heap).findings(besides: others).map { Finding($0) }
    }

    @Test func whatEveryRepetitionLeavesBehindIsToldWithItsRate() throws {
        let maker = heap.stack("Screen.init()", "Game.open()", "main")
        let finding = try #require(findings(recording([("Game.Screen", maker, [9, 12, 14, 16, 18])])).only)
        #expect(finding.kind == .growth && finding.severity == .warning && finding.type == "Game.Screen")
        #expect(finding.growth?.perRepetition == 2)
        #expect(finding.growth?.repetitions == 5)
        #expect(finding.growth?.scenario == "game")
        #expect(finding.message == "2 more Screen were live after each repetition of game.")
        #expect(finding.count == 6)
    }

    @Test func severalPlacesOfOneFunctionAreCountedTogether() throws {
        let places = (0..<3).map { _ in heap.stack("Screen.init()", "Game.open()", "main") }
        let rows = places.map { ("Game.Screen", $0, [5, 6, 7, 8, 9] as [UInt64]) }
        let finding = try #require(findings(recording(rows)).only)
        #expect(finding.growth?.perRepetition == 3 && finding.count == 9)
    }

    @Test func boundedCachesAndWarmUpAreSilent() {
        let maker = heap.stack("Cache.image(for:)", "main")
        #expect(findings(recording([("Game.Image", maker, [0, 50, 50, 50, 50, 50])])).isEmpty)
        #expect(findings(recording([("Game.Image", maker, [0, 10, 20, 30, 30, 30])])).isEmpty)
        #expect(findings(recording([("Game.Image", maker, [5, 9, 7, 9, 11, 12])])).isEmpty)
    }

    @Test func snapshotsAtIntervalsAreNoRepetitions() {
        let maker = heap.stack("Game.load()", "main")
        let rows = [("Game.Level", maker, [1, 2, 3, 4, 5, 6] as [UInt64])]
        #expect(findings(recording(rows) { _ in "interval" }).isEmpty)
        #expect(findings(recording(rows) { "step \($0)" }).isEmpty, "each name is another scenario")
        #expect(findings(recording(rows) { _ in "level" }).count == 1)
    }

    @Test func whatIsMadeAlongWithItStandsInTheSameFinding() throws {
        let screen = heap.stack("Screen.init()", "Game.open()", "main")
        let pixels = heap.stack("Array.init()", "Screen.init()", "Game.open()", "main")
        let token = heap.stack("Screen.observe()", "Game.open()", "main")
        let finding = try #require(
            findings(
                recording([
                    ("Swift._ContiguousArrayStorage<Swift.UInt8>", pixels, [0, 1, 2, 3, 4]),
                    ("Game.Screen", screen, [0, 1, 2, 3, 4]),
                    ("Foundation.Token", token, [0, 2, 4, 6, 8]),
                ])
            ).only)
        #expect(finding.type == "Game.Screen")
        #expect(finding.objects.count == 3)
    }

    @Test func aCollectionIsNamedWithItsElement() throws {
        let pixels = heap.stack("Array.init()", "Game.load()", "main")
        let rows = [("Swift._ContiguousArrayStorage<Swift.UInt8>", pixels, [1, 2, 3, 4, 5, 6] as [UInt64])]
        let finding = try #require(findings(recording(rows)).only)
        #expect(finding.title == "Grows, still reachable: [UInt8]")
        #expect(finding.message.hasPrefix("1 more [UInt8] were live"), "\(finding.message)")
    }

    @Test func whatIsLostForGoodIsNotToldAgain() {
        let maker = heap.stack("Game.open()", "main")
        var lost = Finding(kind: .retainCycle, signature: "1", title: "", type: "Game.Screen")
        lost.objects = ["Game.Screen": 5]
        let recording = recording([("Game.Screen", maker, [0, 1, 2, 3, 4])])
        #expect(findings(recording, besides: [lost]).isEmpty)
        lost.severity = .warning
        #expect(findings(recording, besides: [lost]).count == 1)
    }

    @Test func whatLibdispatchKeepsForReuseIsNoGrowth() {
        let queued = heap.stack(
            "_dispatch_continuation_alloc_from_heap", "dispatch_async", "Observer.changed()", "main")
        #expect(findings(recording([("", queued, [0, 20, 40, 60, 80])])).isEmpty)
        let waiting = heap.stack("_dispatch_Block_copy", "dispatch_async", "Observer.changed()", "main")
        #expect(findings(recording([("", waiting, [0, 20, 40, 60, 80])])).count == 1)
    }

    @Test func capacitiesThatDoubleAndPoolsThatFillAreSilent() {
        let maker = heap.stack("Pool.take()", "main")
        for counts: [UInt64] in [
            [1, 1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 1], [2, 3, 4, 5, 6, 7, 7], [9, 8, 9, 10, 11, 11, 12],
            [40, 80, 80, 160, 160, 160, 160], [0, 3, 5, 6, 7, 7, 8],
        ] {
            #expect(findings(recording([("Game.Worker", maker, counts)])).isEmpty, "\(counts)")
        }
    }

    @Test func theFindingSaysWhatHoldsWhatGrows() throws {
        let maker = heap.stack("Game.open()", "main")
        let cache = heap.node("Game.Cache", flags: [.swift, .reachable])
        let screen = heap.node("Game.Screen", flags: [.swift, .reachable], stack: maker)
        heap.refer(cache, "screens", screen)
        heap.roots = [HeapRoot(object: cache, kind: .global)]
        heap.targets = [
            HeapTarget(cause: .type, object: cache, type: heap.typeID("Game.Cache"), count: 9),
            HeapTarget(cause: .growth, object: screen, type: heap.typeID("Game.Screen"), count: 4),
        ]
        var recording = recording([("Game.Screen", maker, [0, 1, 2, 3, 4])])
        var last = heap.snapshot
        last.begin = recording.heapSnapshots[4].begin
        last.census = recording.heapSnapshots[4].census
        recording.heapSnapshots[4] = last
        let finding = try #require(findings(recording).only)
        #expect(finding.heldBy?.suffix(2) == ["Cache.screens", "Screen"], "\(finding.heldBy ?? [])")
    }

    @Test func theSignatureIsThatOfTypeAndMaker() throws {
        func signature(_ maker: String, _ counts: [UInt64]) throws -> String {
            let stack = heap.stack("Screen.init()", maker, "main")
            return try #require(findings(recording([("Game.Screen", stack, counts)])).only).signature
        }
        let one = try signature("Game.open()", [0, 1, 2, 3, 4])
        #expect(try signature("Game.open()", [3, 9, 12, 15, 30]) == one)
        #expect(try signature("specialized Game.open()", [0, 1, 2, 3, 4]) == one)
        #expect(try signature("Game.close()", [0, 1, 2, 3, 4]) != one)
    }

    @Test func `a collection that several functions fill is one finding`() throws {
        let (loader, drawer) = (heap.stack("Loader.load()", "main"), heap.stack("Drawer.draw()", "main"))
        let cache = heap.node("Game.Cache", flags: [.swift, .reachable])
        let storage = heap.node("Swift._DictionaryStorage<Swift.Int, Game.Image>", flags: [.swift, .reachable])
        let image = heap.node("Game.Image", flags: [.swift, .reachable], stack: loader)
        let layer = heap.node("Game.Layer", flags: [.swift, .reachable], stack: drawer)
        heap.refer(cache, "images", storage)
        heap.refer(storage, "", image, kind: .element)
        heap.refer(image, "layer", layer)
        heap.roots = [HeapRoot(object: cache, kind: .global)]
        heap.targets = [
            HeapTarget(cause: .growth, object: image, type: heap.typeID("Game.Image"), count: 4),
            HeapTarget(cause: .growth, object: layer, type: heap.typeID("Game.Layer"), count: 4),
        ]
        let rows: [(type: String, stack: StackID, counts: [UInt64])] = [
            ("Game.Image", loader, [0, 1, 2, 3, 4]), ("Game.Layer", drawer, [0, 1, 2, 3, 4]),
        ]
        var grown = recording(rows)
        var last = heap.snapshot
        last.begin = grown.heapSnapshots[4].begin
        last.census = grown.heapSnapshots[4].census
        grown.heapSnapshots[4] = last
        let finding = try #require(findings(grown).only)
        #expect(finding.type == "Game.Image" && finding.objects == ["Game.Image": 3, "Game.Layer": 3])
    }

    @Test func `without marks only what is an accumulation grows`() throws {
        let maker = heap.stack("Cache.image(for:)", "main")
        let cache = heap.node("Game.Cache", flags: [.swift, .reachable])
        let image = heap.node("Game.Image", flags: [.swift, .reachable], stack: maker)
        heap.refer(cache, "images[…]", image)
        heap.roots = [HeapRoot(object: cache, kind: .global)]
        heap.targets = [HeapTarget(cause: .growth, object: image, type: heap.typeID("Game.Image"), count: 90)]
        var grown = heap.recording
        grown.allocations.growth = [
            StackGrowth(stack: maker, type: heap.typeID("Game.Image"), count: 80, bytes: 2_560)
        ]
        #expect(findings(grown).isEmpty)
        var accumulation = Finding(kind: .accumulation, signature: "1", title: "", type: "Swift.__StringStorage")
        accumulation.severity = .warning
        let holders = GrowthHolders(recording: grown, symbolicator: heap).holders(
            of: GrowthCandidate(
                stack: maker, type: heap.typeID("Game.Image"), count: 80, bytes: 0, perRepetition: nil,
                repetitions: nil, scenario: nil))
        accumulation.heldBy = [holders[0], holders[1].replacing("[…]", with: "[key]"), "__StringStorage"]
        #expect(findings(grown, besides: [accumulation]).map(\.type) == ["Game.Image"])
        accumulation.heldBy?[1] = "Cache.sounds[…]"
        #expect(findings(grown, besides: [accumulation]).isEmpty)
    }
}
