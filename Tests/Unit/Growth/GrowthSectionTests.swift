import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct RisingLevelsTests {
    /// A program of a thousand steps.
    /// - Parameters:
    ///   - time: the share of the time that has passed at a share of the steps; what is missing passes after the last.
    ///   - events: the share of the events.
    private static func isGrowth(
        time: (Double) -> Double = { $0 }, events: (Double) -> Double = { $0 }, level: (Double) -> Double
    ) -> Bool {
        let (whole, stack) = (1e6, StackID(rawValue: 1))
        var curves = LiveCurves(span: UInt64(whole), events: UInt64(whole))
        var place = LiveCurves.Place()
        for step in 1...1_000 {
            let (before, now) = (Double(step - 1) / 1_000, Double(step) / 1_000)
            curves.move(to: UInt64(whole * time(now)), event: UInt64(whole * events(now)))
            curves.note(&place, level: Int64(whole * level(before)))
        }
        curves.close(place, level: Int64(whole * level(1)), of: stack)
        return RisingLevels(curves[stack] ?? [], .init(of: curves)).isGrowth
    }

    private static func manyAtFirst(_ step: Double) -> Double { step < 0.01 ? step * 98 : 0.98 + 0.02 * step }

    @Test("what rises to the end is growth, by time or by events") func rising() {
        #expect(Self.isGrowth { $0 })
        #expect(Self.isGrowth(time: { 0.55 * $0 }, level: { $0 }), "a program that waits at its end")
        #expect(Self.isGrowth(events: Self.manyAtFirst, level: { $0 }), "a start with many events")
        #expect(Self.isGrowth { $0 < 0.5 ? 0 : $0 }, "one that begins late")
        #expect(Self.isGrowth { 1 / Double(1 << Int(8 - 8 * $0)) }, "an array that grows by copying")
    }

    @Test("what was there at the first third, is full, or comes and goes is none") func bounded() {
        #expect(!Self.isGrowth { _ in 0.5 })
        #expect(!Self.isGrowth { min($0, 0.3) })
        #expect(!Self.isGrowth { min($0, 0.5) })
        #expect(!Self.isGrowth { $0 < 0.9 ? $0 : 0 })
        #expect(!Self.isGrowth { (8 * $0).truncatingRemainder(dividingBy: 1) })
        #expect(!Self.isGrowth { $0 < 0.6 ? 0 : 1 }, "one load")
        #expect(!Self.isGrowth(time: { 0.04 * $0 }, level: { $0 }), "a program that builds, and waits then")
        #expect(!Self.isGrowth(events: Self.manyAtFirst, level: { min(1, 100 * $0) }), "a start")
    }
}

@Suite struct GrowthSectionTests {
    private let heap = HeapFixture()

    /// - Parameter level: of the stack in KiB after a 64th of the run.
    private func rows(
        _ stacks: [(type: String, stack: StackID, level: (Int) -> Int64)]
    ) -> (rows: [Report.Grown], omitted: Int) {
        var allocations = AllocationSummary()
        var curves = LiveCurves(span: 64_000, events: 64_000)
        var places = stacks.map { _ in LiveCurves.Place() }
        for part in 1..<UInt64(LiveCurves.parts) {
            curves.move(to: part * 1000, event: part * 1000)
            for (index, stack) in stacks.enumerated() {
                curves.note(&places[index], level: stack.level(Int(part) - 1) << 10)
            }
        }
        for (place, stack) in zip(places, stacks) {
            let (last, most) = (stack.level(63), (0..<64).map(stack.level).max() ?? 0)
            curves.close(place, level: last << 10, of: stack.stack)
            var counts = AllocationCounts()
            (counts.allocations, counts.frees) = (UInt64(most), UInt64(most - last))
            (counts.liveCount, counts.liveBytes) = (UInt64(last), UInt64(last) << 10)
            var row = StackAllocations(stack: stack.stack, type: heap.typeID(stack.type), counts: counts)
            row.lastTime = 60_000_000
            allocations.byStack.append(row)
            allocations.totals.add(counts)
            allocations.totals.peakBytes += UInt64(most) << 10
        }
        allocations.liveCurves = curves
        var recording = heap.recording
        recording.allocations = allocations
        return GrowthSection(recording: recording, symbolicator: heap).rows()
    }

    @Test("what one function makes is one row, named by the user's type, with its figures") func figures() throws {
        let image = heap.stack("Image.init()", "Cache.image(for:)", "main")
        let pixels = heap.stack("Array.init()", "Image.init()", "Cache.image(for:)", "main")
        let world = heap.stack("World.load()", "main")
        let result = rows([
            ("Game.World", world, { _ in 64 }), ("Game.Image", image, { Int64($0 + 1) }),
            ("Swift._ContiguousArrayStorage<Swift.UInt8>", pixels, { 3 * Int64($0 + 1) }),
        ])
        let row = try #require(result.rows.only)
        #expect(row.type == "Game.Image" && row.holder == nil)
        #expect(row.added == 64 && row.removed == 0 && row.kept == 64)
        #expect(row.bytes == 256 << 10 && row.share == 0.8)
        #expect(row.lastAddedSeconds == 0.06)
        #expect(row.curve.count == 32 && row.curve.last == row.bytes && row.curve == row.curve.sorted())
        #expect(row.allocatedBy?.frames.first?.function == "Image.init()")
        #expect(result.omitted == 0)
    }

    @Test("what one function makes beside objects that do not make it is a row of its own") func ownBytes() {
        let node = heap.stack("TreeNode.init(key:)", "Scene.fill()", "main")
        let names = heap.stack("Scene.fill()", "main")
        let result = rows([
            ("Game.TreeNode", node, { Int64($0 + 1) }),
            ("Swift._ContiguousArrayStorage<Swift.String>", names, { 9 * Int64($0 + 1) }),
        ])
        #expect(result.rows.map(\.type) == ["Swift._ContiguousArrayStorage<Swift.String>", "Game.TreeNode"])
        #expect(result.rows.map(\.bytes) == [576 << 10, 64 << 10])
    }

    @Test("objects that two callers make one after the other are one row, without what was there before") func callers()
    {
        let early = heap.stack("Job.init()", "Queue.add()", "play()", "main")
        let late = heap.stack("Job.init()", "Queue.add()", "main")
        let result = rows([
            ("Game.Job", early, { Int64(min($0, 26)) }), ("Game.Job", late, { Int64(max(0, $0 - 26)) }),
            ("Game.Table", heap.stack("Queue.add()", "setUp()", "main"), { _ in 50 }),
        ])
        #expect(result.rows.map(\.type) == ["Game.Job"])
        #expect(result.rows.map(\.kept) == [63])
    }

    @Test("what grows is told, the most bytes first; what was freed or levelled off is not") func rank() {
        let result = rows([
            ("Game.Particle", heap.stack("Level.frame()", "main"), { $0 < 40 ? Int64($0) : 0 }),
            ("Game.Entry", heap.stack("Index.add()", "main"), { Int64(min($0, 30)) }),
            ("Game.Job", heap.stack("Queue.add()", "main"), { Int64($0 * 40 / 63) }),
            ("Game.Page", heap.stack("Book.add()", "main"), { Int64($0) }),
        ])
        #expect(result.rows.map(\.type) == ["Game.Page", "Game.Job"])
        #expect(result.rows.last?.share == 0.3008)
    }

    @Test("ten rows are shown, the others are counted") func limit() {
        let stacks = (0..<13).map { ("Game.T\($0)", heap.stack("make\($0)()", "main"), { Int64($0 + 1) }) }
        let result = rows(stacks.map { ($0.0, $0.1, $0.2 as (Int) -> Int64) })
        #expect(result.rows.count == 10 && result.omitted == 3)
    }
}

@Suite struct GrownTextTests {
    @Test(
        "the holder's function that adds is named, else what made it, not its own initialiser",
        arguments: [("Game.Log", "Log.append(_:)"), ("Game.Shelf", "makeEntry()"), (nil, "makeEntry()")])
    func added(holder: String?, function: String) {
        let frames = ["Entry.init()", "makeEntry()", "Log.append(_:)", "main"].map {
            CallStack.Frame(function: $0, origin: .user)
        }
        var report = Report(target: .init(executable: "/bin/game", wallSeconds: 1), capture: .init())
        report.grew = [Report.Grown(holder: holder, type: "Game.Entry", allocatedBy: CallStack(frames: frames))]
        let lines = TextGrown.lines(report, names: ShortNames([]), style: TextStyle(width: 100))
        #expect(lines.contains("    made by \(function)"), "\(lines)")
    }

    @Test("a list that its first element holds is called by the elements, and added where they are made") func list() {
        let frames = ["Node.init(key:)", "fill()"].map { CallStack.Frame(function: $0, origin: .user) }
        var report = Report(target: .init(executable: "/bin/game", wallSeconds: 1), capture: .init())
        report.grew = [Report.Grown(holder: "Game.Node", type: "Game.Node", allocatedBy: CallStack(frames: frames))]
        let lines = TextGrown.lines(report, names: ShortNames(["Game.Node"]), style: TextStyle(width: 100))
        #expect(lines[1].hasPrefix("  Node  ") && lines.contains("    made by fill()"), "\(lines)")
    }

    @Test("what a library makes is added where the user's code is") func addedThroughLibrary() {
        let frames = ["closure #2 in ByteBufferAllocator.init()", "ByteBuffer.reserve(_:)"].map {
            CallStack.Frame(function: $0, origin: .library)
        }
        var report = Report(target: .init(executable: "/bin/game", wallSeconds: 1), capture: .init())
        let stack = CallStack(frames: frames + [CallStack.Frame(function: "Server.handle(_:)", origin: .user)])
        report.grew = [Report.Grown(type: "Swift.String", allocatedBy: stack)]
        let lines = TextGrown.lines(report, names: ShortNames([]), style: TextStyle(width: 100))
        #expect(lines.contains("    made by Server.handle(_:)"), "\(lines)")
    }
}

@Suite struct CommonHolderTests {
    private static func name(
        _ heap: LiveHeapFixture, _ stack: StackID, beside others: Set<StackID> = []
    ) -> CommonHolder.Name? {
        CommonHolder(heap.ownership, of: others.union([stack]), rootNames: heap.rootNames).name(of: stack)
    }

    @Test("elements of a collection are held by the field of its object") func collection() {
        var heap = LiveHeapFixture()
        let (stack, pixels) = (heap.names.stack("Image.init()"), heap.names.stack("Array.init()"))
        let app = heap.object("Game.App")
        let cache = heap.object("Game.Cache")
        let storage = heap.object("Swift._DictionaryStorage<Swift.String, Game.Image>")
        heap.root(app)
        heap.refer(app, "cache", cache)
        heap.refer(cache, "entries", storage)
        for _ in 0..<5 {
            let image = heap.object("Game.Image", stack: stack)
            heap.refer(storage, "", image)
            heap.refer(image, "pixels", heap.object("Swift._ContiguousArrayStorage<Swift.UInt8>", stack: pixels))
        }
        #expect(Self.name(heap, stack) == .init(holder: "Game.Cache", field: "entries"))
        #expect(Self.name(heap, pixels, beside: [stack]) == .init(holder: "Game.Cache", field: "entries"))
        // Where the images are no more than before, it is they that grow.
        #expect(Self.name(heap, pixels) == .init(holder: "Game.Image", field: "pixels"))
    }

    @Test("elements that refer to each other too are held by the collection that has them all") func linked() {
        var heap = LiveHeapFixture()
        let (stack, text) = (heap.names.stack("Node.init()"), heap.names.stack("Array.init()"))
        let cache = heap.object("Game.LRU")
        let storage = heap.object("Swift._DictionaryStorage<Swift.Int, Game.Node>")
        heap.root(cache)
        heap.refer(cache, "nodes", storage)
        var last = cache
        for _ in 0..<5 {
            let node = heap.object("Game.Node", strong: 2, stack: stack)
            heap.refer(node, "text", heap.object("Swift._ContiguousArrayStorage<Swift.UInt8>", stack: text))
            heap.refer(storage, "", node)
            heap.refer(last, last == cache ? "head" : "next", node)
            last = node
        }
        #expect(Self.name(heap, stack) == .init(holder: "Game.LRU", field: "nodes"))
        #expect(Self.name(heap, text) == .init(holder: "Game.LRU", field: "nodes"))
    }

    @Test("a list is held by the field of its first element") func list() {
        var heap = LiveHeapFixture()
        let stack = heap.names.stack("Node.init()")
        var last = heap.object("Game.Queue")
        heap.root(last)
        for position in 0..<9 {
            let node = heap.object("Game.Node", stack: stack)
            heap.refer(last, position == 0 ? "head" : "next", node)
            last = node
        }
        #expect(Self.name(heap, stack) == .init(holder: "Game.Queue", field: "head"))
    }

    @Test("what a static variable holds is held by the field of its type") func variable() {
        var heap = LiveHeapFixture()
        let stack = heap.names.stack("record(_:)")
        heap.names.variables[64] = SymbolicatedVariable(name: "Metrics.samples", image: "game", origin: .user)
        heap.root(heap.object("Swift._ContiguousArrayStorage<Swift.Double>", stack: stack))
        #expect(Self.name(heap, stack) == .init(holder: "Metrics", field: "samples"))
    }
}
