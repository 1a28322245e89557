import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

/// A fix frees what its row counts, shown on the references and counts of the snapshot.
@Suite struct CycleFixTests {
    private static func finding(_ fill: (HeapFixture) -> Void) throws -> Finding {
        let heap = HeapFixture()
        fill(heap)
        return try #require(heap.findings.only)
    }

    @Test("of a list with two ways the way back is made weak, and that frees all nodes with what they keep")
    func list() throws {
        let finding = try Self.finding { heap in
            let nodes = (0..<5).map { _ in heap.node("Game.Node") }
            for (node, next) in zip(nodes, nodes.dropFirst()) {
                heap.refer(node, "next", next)
                heap.refer(next, "previous", node)
            }
            heap.refer(nodes[2], "payload", heap.raw(size: 64))
        }
        #expect(finding.fix == "make Node.previous weak (weak var previous)")
        #expect(finding.fixes == nil)
        #expect(finding.fixFrees == Finding.Freed(blocks: 6, of: 6))
    }

    @Test("two natural back references are named rather than the one that owns")
    func treeWithTwoWaysBack() throws {
        let finding = try Self.finding { heap in
            let root = heap.node("Game.Folder")
            let storage = heap.node("Swift._ContiguousArrayStorage<Game.File>")
            heap.refer(root, "files", storage)
            for _ in 0..<3 {
                let file = heap.node("Game.File")
                heap.refer(storage, "", file, kind: .element)
                heap.refer(file, "parent", root)
                heap.refer(file, "owner", root)
            }
        }
        #expect(finding.fixes == ["make File.parent weak (weak var parent)", "make File.owner weak (weak var owner)"])
        #expect(finding.fix?.hasSuffix(": both changes are needed") == true)
        #expect(finding.fixFrees == Finding.Freed(blocks: 5, of: 5))
    }

    /// An interpreter: names of a scope hold closures by cells, and closures hold the scope that they were made in.
    private static func interpreter(hasInner: Bool) throws -> Finding {
        try finding { heap in
            let top = heap.node("Game.Scope", strong: hasInner ? 2 : 1)
            let names = heap.node("Swift._DictionaryStorage<Swift.String, Game.Cell>")
            heap.refer(top, "slots", names)
            func close(over scope: ObjectID) {
                let cell = heap.node("Game.Cell")
                let lambda = heap.node("Game.Lambda")
                heap.refer(names, "", cell, kind: .element)
                heap.refer(cell, "content", lambda)
                heap.refer(lambda, "home", scope)
            }
            close(over: top)
            guard hasInner else { return }
            let inner = heap.node("Game.Scope")
            heap.refer(inner, "outer", top)
            close(over: inner)
        }
    }

    @Test("what alone keeps an object that its own collection does not lead back from is not made weak")
    func closureOfInterpreter() throws {
        let finding = try Self.interpreter(hasInner: true)
        #expect(finding.fix == "clear Scope.slots when the Scope is done")
        #expect(finding.fixFrees == Finding.Freed(blocks: 7, of: 7))
    }

    @Test("a way back of several objects may own its target: the collection is named as well")
    func wayBackOfSeveral() throws {
        let finding = try Self.interpreter(hasInner: false)
        #expect(finding.fix?.contains("clear Scope.slots when the ") == true, "\(finding.fix ?? "")")
        #expect(finding.fixFrees == Finding.Freed(blocks: 4, of: 4))
    }

    @Test("what its holder made is its holder's own, and is not made weak")
    func maker() throws {
        let finding = try Self.finding { heap in
            let order = heap.node("Game.Order", stack: heap.stack("takeOrder()"))
            let printer = heap.node("Game.Printer", stack: heap.stack("takeOrder()"))
            let made = heap.stack("Subject.init()", "Order.init(id:)", "takeOrder()")
            let subject = heap.node("Game.Subject", stack: made)
            heap.refer(order, "added", subject)
            heap.refer(subject, "receiver", printer)
            heap.refer(printer, "order", order)
        }
        #expect(finding.fix?.contains("Order.added") == false, "\(finding.fix ?? "")")
    }

    @Test("a closure behind a thunk can capture weakly")
    func thunk() throws {
        let finding = try Self.finding { heap in
            let order = heap.node("Game.Order")
            let subject = heap.node("Game.Subject")
            let thunk = heap.closure()
            heap.refer(order, "added", subject)
            heap.refer(
                subject, "receiver", thunk, calling: "thunk for @escaping @callee_guaranteed (@unowned Int) -> ()")
            heap.refer(
                thunk, "", order, kind: .capture, calling: "partial apply for closure #1 in Order.init(id:)")
        }
        #expect(finding.fix?.contains("[weak self]") == true, "\(finding.fix ?? "")")
    }

    @Test(
        "what a closure has to return or still has to do comes before a weak capture",
        arguments: [
            (
                "hook", false,
                "capture self weakly ([weak self]) in the closure at Puzzle.swift:118, or clear Board.hook when the Game is done"
            ),
            (
                "source", true,
                "clear Board.source when the Game is done, or capture self weakly ([weak self]) in the closure at "
                    + "Puzzle.swift:118 and return a default value if it is nil"
            ),
            (
                "pendingMoves", false,
                "clear Board.pendingMoves when the Game is done, or capture self weakly ([weak self]) in the closure at "
                    + "Puzzle.swift:118 if something else keeps it alive until the closure has run"
            ),
        ])
    func neededClosure(field: String, returnsValue: Bool, fix: String) throws {
        let finding = try Self.finding { heap in
            let (game, board) = (heap.node("Game.Game"), heap.node("Game.Board"))
            heap.refer(game, "board", board)
            heap.refer(board, field, game, calling: "closure #1 in Game.start()", returnsValue: returnsValue)
        }
        #expect(finding.fix == fix)
    }

    /// A channel, its pipeline and a list of contexts, as a network library's program leaves them.
    private static func addPipeline(to heap: HeapFixture) {
        let accept = heap.stack("StreamChannel.init(id:)", "accept(_:)")
        let channel = heap.node("Game.StreamChannel", stack: heap.stack("accept(_:)"))
        let pipeline = heap.node("Game.StagePipeline", strong: 4, stack: accept)
        heap.refer(channel, "pipeline", pipeline)
        heap.refer(pipeline, "channel", channel)
        let contexts = (0..<3).map { _ in
            heap.node("Game.StageContext", strong: 2, stack: heap.stack("StagePipeline.init(_:)"))
        }
        heap.refer(pipeline, "head", contexts[0])
        heap.refer(pipeline, "tail", contexts[2])
        for context in contexts { heap.refer(context, "pipeline", pipeline) }
        for (context, next) in zip(contexts, contexts.dropFirst()) {
            heap.refer(context, "next", next)
            heap.refer(next, "previous", context)
        }
        heap.refer(contexts[1], "handler", heap.node("Game.Echo"))
    }

    @Test("a knot of three cycles needs three references, in text, JSON and page")
    func knot() throws {
        let heap = HeapFixture()
        for _ in 0..<4 { Self.addPipeline(to: heap) }
        let finding = try #require(heap.findings.only)
        #expect(
            Set(finding.fixes ?? []) == [
                "make StagePipeline.channel weak (weak var channel)",
                "make StageContext.pipeline weak (weak var pipeline)",
                "make StageContext.previous weak (weak var previous)",
            ])
        #expect(finding.fixFrees == Finding.Freed(blocks: 24, of: 24))
        let text = TextReport.render(heap.report(), style: TextStyle(width: 100))
        #expect(text.contains("all 3 changes are needed; freed by this: 24 of 24 blocks"), "\(text)")
        let last = try #require(finding.references.last)
        #expect(finding.fixes?.first?.contains("\(TypeName.bare(last.from)).\(last.path) ") == true)
    }

    @Test("two timers that keep one owner are both named, and one property of a generic timer is one change")
    func timers() throws {
        for (isGeneric, changes) in [(false, 2), (true, 1)] {
            let finding = try Self.finding { heap in
                let connection = heap.node("Game.Connection", strong: 2)
                for name in ["Ping", "Idle"] {
                    let timer = heap.node(isGeneric ? "Game.Timer<Game.\(name)>" : "Game.\(name)Timer")
                    heap.refer(connection, "\(name)Timer", timer)
                    heap.refer(timer, "target", connection)
                }
            }
            #expect((finding.fixes?.count ?? 1) == changes)
            #expect(finding.fix?.contains("Timer.target weak") == true)
            #expect(finding.fixFrees == Finding.Freed(blocks: 3, of: 3))
        }
    }

    @Test("five timers that keep one owner are all named; of six, one is, and that each must go is not said")
    func manyTimers() throws {
        for count in [5, 6] {
            let finding = try Self.finding { heap in
                let connection = heap.node("Game.Connection", strong: UInt32(count))
                for number in 0..<count {
                    let timer = heap.node("Game.Timer\(number)")
                    heap.refer(connection, "timer\(number)", timer)
                    heap.refer(timer, "target", connection)
                }
            }
            #expect((finding.fixes?.count ?? 1) == (count == 5 ? 5 : 1))
            #expect(finding.fixFrees?.blocks == (count == 5 ? 6 : nil))
        }
    }

    @Test("the cases of an enum are one property to change")
    func enumCases() throws {
        let finding = try Self.finding { heap in
            let graph = heap.node("Game.Graph", strong: 2)
            let nodes = [2, 2, 1].map { heap.node("Game.Node", strong: $0) }
            heap.refer(graph, "first", nodes[0])
            heap.refer(nodes[0], "graph", graph)
            for (index, label) in ["link.child.of", "link.shared.0"].enumerated() {
                heap.refer(nodes[index], label, nodes[index + 1], flags: .notWeak)
                heap.refer(nodes[index + 1], label, nodes[index], flags: .notWeak)
            }
            heap.refer(nodes[1], "graph", graph)
        }
        #expect(finding.fixes?.count == 2, "\(finding.fixes ?? [])")
        #expect(finding.fixes?.contains { $0.hasPrefix("clear Node.link when the ") } == true)
        #expect(finding.fixFrees == Finding.Freed(blocks: 4, of: 4))
    }

    @Test("a case of an enum in a collection is a way back by its name")
    func caseInCollection() throws {
        let finding = try Self.finding { heap in
            let (unit, brain) = (heap.node("Game.Unit"), heap.node("Game.Brain"))
            let (board, facts) = (
                heap.node("Game.Blackboard"), heap.node("Swift._DictionaryStorage<Swift.String, Game.Fact>")
            )
            heap.refer(unit, "brain", brain)
            heap.refer(brain, "board", board)
            heap.refer(board, "facts", facts)
            heap.refer(facts, "owner", unit, kind: .element, flags: .notWeak)
        }
        #expect(
            finding.fix
                == "make Blackboard.facts weak: store weak references in it, or clear Blackboard.facts when the "
                + "Blackboard is done")
    }

    @Test("two closures of one function are two changes")
    func closuresOfOneFunction() throws {
        let finding = try Self.finding { heap in
            let form = heap.node("Game.Form", strong: 2)
            for number in 1...2 {
                let subscription = heap.node("Game.Subscription\(number)")
                let closure = heap.closure()
                heap.refer(form, "field\(number)", subscription)
                heap.refer(subscription, "sink", closure, calling: "closure #\(number) in Form.bind()")
                heap.refer(closure, "", form, kind: .capture, calling: "closure #\(number) in Form.bind()")
            }
        }
        #expect(finding.fixes?.count == 2, "\(finding.fix ?? "")")
        #expect(finding.fixFrees == Finding.Freed(blocks: 5, of: 5))
    }

    @Test("closures of two overloads are two changes")
    func closuresOfOverloads() throws {
        let finding = try Self.finding { heap in
            let form = heap.node("Game.Form", strong: 2)
            for line in [12, 20] {
                let subscription = heap.node("Game.Subscription\(line)")
                let closure = heap.closure()
                heap.refer(form, "field\(line)", subscription)
                heap.refer(subscription, "sink", closure, calling: "closure #1 in Form.bind(_:)", at: line)
                heap.refer(closure, "", form, kind: .capture, calling: "closure #1 in Form.bind(_:)", at: line)
            }
        }
        #expect(finding.fixes?.count == 2, "\(finding.fix ?? "")")
        #expect(finding.fixFrees == Finding.Freed(blocks: 5, of: 5))
    }

    @Test("what is declared with let is not cleared as it is")
    func constants() throws {
        for isConstant in [false, true] {
            let captured = try Self.finding { heap in
                let screen = heap.node("Game.Screen")
                let (panel, closure) = (heap.node("Game.Panel"), heap.closure())
                heap.refer(screen, "panel", panel)
                heap.refer(
                    panel, "onTap", closure, calling: "closure #1 in Panel.init(_:)", flags: isConstant ? .constant : []
                )
                heap.refer(closure, "", screen, kind: .capture, calling: "closure #1 in Panel.init(_:)")
            }
            #expect(captured.fix?.contains("clear Panel.onTap") == !isConstant, "\(captured.fix ?? "")")
            let owned = try Self.finding { heap in
                let (chain, next) = (heap.node("Game.Chain"), heap.node("Game.Chain"))
                let flags: HeapReference.Flags = isConstant ? [.notWeak, .constant] : .notWeak
                heap.refer(chain, "link", next, flags: flags)
                heap.refer(next, "link", chain, flags: flags)
            }
            #expect(
                owned.fix?.hasPrefix(
                    isConstant
                        ? "declare Chain.link with var and set it to nil in Chain's code" : "clear Chain.link when")
                    == true,
                "\(owned.fix ?? "")")
        }
    }

    @Test("what another finding holds is freed with that one's changes, and says so where these are others")
    func connectedFindings() throws {
        for isSame in [false, true] {
            let heap = HeapFixture()
            let engine = heap.node("Game.Engine", strong: 2)
            let gear = heap.node(isSame ? "Game.Driver" : "Game.Gear")
            let (crew, driver) = (heap.node("Game.Crew"), heap.node("Game.Driver"))
            heap.refer(engine, "gear", gear)
            heap.refer(gear, "owner", engine)
            heap.refer(crew, "driver", driver)
            heap.refer(driver, "owner", crew)
            heap.refer(driver, "engine", engine)
            let findings = heap.findings
            let held = try #require(findings.first { $0.objects.keys.contains("Game.Engine") })
            let holder = try #require(findings.first { $0.objects.keys.contains("Game.Crew") })
            #expect(holder.fixFrees == Finding.Freed(blocks: 2, of: 2))
            var freed = Finding.Freed(blocks: 2, of: 2)
            if !isSame { freed.with = [holder.shortSignature] }
            #expect(held.fixFrees == freed)
            let text = FindingFix.lines(of: held).remark
            #expect(text?.contains("together with what \(holder.shortSignature) needs") == !isSame, "\(text ?? "")")
        }
    }

    @Test("a closure that a thunk holds too is one change")
    func closureAndThunk() throws {
        let finding = try Self.finding { heap in
            let connection = heap.node("Game.Connection", strong: 3)
            let thunk = heap.closure()
            heap.refer(connection, "writer", connection, calling: "closure #1 in Connection.writer.getter")
            heap.refer(
                connection, "respond", thunk, calling: "thunk for @escaping @callee_guaranteed (@unowned Int) -> ()")
            heap.refer(
                thunk, "", connection, kind: .capture,
                calling: "partial apply for closure #1 in Connection.writer.getter")
            heap.refer(connection, "server", connection)
        }
        #expect(finding.fixes?.count == 2, "\(finding.fixes ?? [])")
        #expect(finding.fixes?.contains { $0.contains("clear Connection.writer") } == false, "respond holds it as well")
        #expect(finding.fixFrees == Finding.Freed(blocks: 2, of: 2))
    }

    @Test("what a closure captures alone goes with the one property that has it, too")
    func closureOfOneProperty() throws {
        let finding = try Self.finding { heap in
            let cache = heap.node("Game.Cache", strong: 2)
            heap.refer(cache, "onEvict", cache, calling: "closure #1 in Cache.init()")
            heap.refer(cache, "owner", cache)
        }
        #expect(finding.fixes?.contains { $0.contains(", or clear Cache.onEvict") } == true, "\(finding.fixes ?? [])")
    }

    @Test("what only its maker holds is not made weak, but cleared")
    func onlyOwner() throws {
        let finding = try Self.finding { heap in
            let document = heap.node("Game.Document", strong: 6)
            let history = heap.node("Game.History", stack: heap.stack("Document.init()"))
            heap.refer(document, "history", history)
            // More than a fix may name.
            for number in 0..<6 {
                let change = heap.node("Game.Change\(number)")
                heap.refer(history, "change\(number)", change)
                heap.refer(change, "document", document)
            }
        }
        #expect(finding.fix?.hasPrefix("clear Document.history when") == true, "\(finding.fix ?? "")")
        #expect(finding.fixFrees == Finding.Freed(blocks: 8, of: 8))
    }

    @Test("an object that holds itself goes with that reference")
    func selfLoop() throws {
        let finding = try Self.finding { heap in
            let card = heap.node("Game.Card")
            heap.refer(card, "me", card)
        }
        #expect(finding.fixFrees == Finding.Freed(blocks: 1, of: 1))
    }

    @Test("where a retain has no owner nothing is promised")
    func retainWithoutOwner() throws {
        let finding = try Self.finding { heap in
            let card = heap.node("Game.Card", strong: 2)
            heap.refer(card, "owner", card)
        }
        #expect(finding.fix == "one reference of the cycle must be removed: make Card.owner weak (weak var owner)")
        #expect(finding.fixFrees == nil)
    }

    @Test("what another row keeps is not counted as freed")
    func sharedDependent() throws {
        let heap = HeapFixture()
        let shared = heap.node("Game.Shared", strong: 2)
        for name in ["Game.A", "Game.B"] {
            let node = heap.node(name)
            heap.refer(node, "me", node)
            heap.refer(node, "shared", shared)
        }
        #expect(
            Set(heap.findings.map(\.fixFrees)) == [Finding.Freed(blocks: 1, of: 2), Finding.Freed(blocks: 1, of: 1)])
    }

    @Test("every instance of a row is proved, not the first alone")
    func instancesOfOtherShape() throws {
        let finding = try Self.finding { heap in
            for number in 0..<3 {
                let (box, card) = (heap.node("Game.Box"), heap.node("Game.Card"))
                heap.refer(box, "card", card)
                heap.refer(card, "owner", box)
                if number == 2 { heap.refer(card, "keeper", box) }
            }
        }
        #expect(finding.count == 3)
        #expect(finding.fixFrees == Finding.Freed(blocks: 6, of: 6))
        #expect(finding.fixes?.count == 2)
    }

    @Test("a library's cycle says what was made where and never closed")
    func libraryCycle() throws {
        let finding = try Self.finding { heap in
            let a = heap.node("Game.Save", stack: heap.stack("Board.save()"))
            heap.refer(a, "__dependencies", a, declaredIn: "Foundation.Operation")
        }
        #expect(finding.fix?.hasPrefix("the references belong to Foundation: undo the call that made them") == true)
        #expect(
            finding.fix?.hasSuffix("when Save is done, which Board.save() made at Game.swift:10 and nothing undid")
                == true)
        #expect(finding.fixFrees == nil)
    }

    @Test("a cycle of another package's classes is left to the call that closes it")
    func packageCycle() throws {
        let finding = try Self.finding { heap in
            let frames = ["NIOCore", "NIOEmbedded"].map { module in
                SymbolicatedFrame(
                    function: "\(module).init()", module: module,
                    file: "/game/.build/checkouts/swift-nio/Sources/\(module)/Channel.swift", line: 5, origin: .library,
                    isOfPackage: true)
            }
            let start = SymbolicatedFrame(
                function: "Session.start()", module: "Game", file: "/src/Session.swift", line: 12)
            let channel = heap.node("NIOEmbedded.EmbeddedChannel", stack: heap.stack([frames[1], start]))
            let pipeline = heap.node("NIOCore.ChannelPipeline", stack: heap.stack(frames + [start]))
            heap.refer(channel, "_pipeline", pipeline)
            heap.refer(pipeline, "_channel", channel)
        }
        #expect(finding.fix?.hasPrefix("the references belong to NIO") == true)
        #expect(
            finding.fix?.hasSuffix(
                "EmbeddedChannel is done, which Session.start() made at Session.swift:12 and nothing undid")
                == true, "\(finding.fix ?? "")")
    }

    @Test("of a sample of the lost objects the figure is scaled")
    func sample() throws {
        let finding = try Self.finding { heap in
            let card = heap.node("Game.Card")
            heap.refer(card, "me", card)
            heap.lost = [HeapCensusRecord(type: heap.typeID("Game.Card"), stack: .none, count: 500, bytes: 16_000)]
        }
        #expect(finding.fixFrees == Finding.Freed(blocks: 500, of: 500))
    }

    @Test("the smallest sets are all that brute force finds, and what they free it frees", arguments: 0..<80)
    func agreesWithBruteForce(seed: Int) throws {
        var random = SplitMix(state: UInt64(seed))
        let count = Int(random.next() % 7) + 2
        let heap = HeapFixture()
        let nodes = (0..<count).map { heap.node("Game.N\($0)", strong: 1 + UInt32(random.next() % 4)) }
        for _ in 0..<Int(random.next() % 16) + 2 {
            // Some references have no change that removes them.
            let label = random.next() % 6
            heap.refer(
                nodes[Int(random.next() % UInt64(count))], label == 0 ? "" : "f\(label)",
                nodes[Int(random.next() % UInt64(count))])
        }
        let graph = heap.graph
        let change = { (edge: HeapGraph.Edge) in Int32(graph.label(of: edge).dropFirst()) ?? -1 }
        let finder = LeakFinder(graph: graph, roles: ObjectRoles(graph))
        let cycles = finder.findings().filter { $0.kind == .retainCycle }
        for cycle in cycles {
            var proof = FixProof(graph: graph, finder: finder)
            proof.begin([cycle.members], changeOf: change)
            let isInside = { (edge: HeapGraph.Edge) in
                cycle.members.contains(edge.from) && cycle.members.contains(edge.to)
            }
            let sets = proof.smallest(untying: [cycle.members], first: []) { _ in true }
            let expected = Self.subsets.filter { set in
                !Self.hasCycle(graph.edges.filter { isInside($0) && !set.contains(change($0)) }, change)
            }
            let least = expected.map(\.count).min()
            #expect(Set(sets) == Set(expected.filter { $0.count == least }))
            let all = (0..<Int32(count)).map { $0 }
            for set in sets {
                let kept = graph.edges.filter { !isInside($0) || !set.contains(change($0)) }
                #expect(Set(proof.freed(among: all, by: set)) == Self.freed(graph, kept))
            }
        }
    }

    private static let subsets: [[Int32]] = (0..<32).map { bits in
        (1...5).filter { bits >> ($0 - 1) & 1 == 1 }.map { Int32($0) }
    }.filter { $0.count <= FixProof.most }

    /// Whether a reference that has a change lies on a cycle.
    private static func hasCycle(_ edges: [HeapGraph.Edge], _ change: (HeapGraph.Edge) -> Int32) -> Bool {
        edges.contains { edge in
            guard change(edge) > 0 else { return false }
            var reached: Set = [edge.to]
            while let next = edges.first(where: { reached.contains($0.from) && !reached.contains($0.to) }) {
                reached.insert(next.to)
            }
            return reached.contains(edge.from)
        }
    }

    /// Objects are taken away one by one while one has neither a holder nor a retain beyond its references.
    private static func freed(_ graph: HeapGraph, _ kept: [HeapGraph.Edge]) -> Set<Int32> {
        let ids = graph.objects.indices.map { Int32($0) }
        var freed: Set<Int32> = []
        while let next = ids.first(where: { id in
            !freed.contains(id) && graph.object(id).strong <= graph.edges.count { $0.to == id }
                && !kept.contains { $0.to == id && !freed.contains($0.from) }
        }) {
            freed.insert(next)
        }
        return freed
    }

    @Test("when the bound is met the search ends without a set")
    func bound() throws {
        let heap = HeapFixture()
        Self.addPipeline(to: heap)
        let graph = heap.graph
        let finder = LeakFinder(graph: graph, roles: ObjectRoles(graph))
        var proof = FixProof(graph: graph, finder: finder, bound: 10)
        let members = finder.findings().filter { $0.kind == .retainCycle }.map(\.members)
        proof.begin(members) { $0.label }
        #expect(proof.smallest(untying: members, first: []) { _ in true } == [])
        #expect(proof.isSpent)
    }

    @Test(
        "what is said of a property compiles for its declaration",
        arguments: [
            (.form(.optional), "or set Panel.onTap to nil in Panel's code when the Screen is done"),
            (.form(.collection), "or empty Panel.onTap in Panel's code when the Screen is done"),
            (.form(.function), "or set Panel.onTap to a closure that does nothing in Panel's code"),
            (.form(.lazy), "or make Panel.onTap a method instead of a lazy property"),
            (.form(.locked).union(.constant), "or empty Panel.onTap with withLock, in Panel's code"),
            (.form(.other), nil),
        ] as [(HeapReference.Flags, String?)])
    func declarations(flags: HeapReference.Flags, words: String?) throws {
        let captured = try Self.finding { heap in
            let screen = heap.node("Game.Screen")
            let (panel, closure) = (heap.node("Game.Panel"), heap.closure())
            heap.refer(screen, "panel", panel)
            heap.refer(panel, "onTap", closure, calling: "closure #1 in Panel.init(_:)", flags: flags)
            heap.refer(closure, "", screen, kind: .capture, calling: "closure #1 in Panel.init(_:)")
        }
        let fix = try #require(captured.fix)
        #expect(words.map(fix.contains) ?? !fix.contains(", or "), "\(fix)")
    }

    @Test("a property of a structure is weak in the structure")
    func structure() throws {
        let finding = try Self.finding { heap in
            let (queue, screen) = (heap.node("Game.Queue"), heap.node("Game.Screen"))
            heap.refer(queue, "delegate.screen", screen, owner: "Game.BandDelegate")
            heap.refer(screen, "queue", queue)
        }
        #expect(finding.fix == "make BandDelegate.screen weak (weak var screen)")
    }

    @Test("an object whose deinit has run holds nothing any more")
    func deinitialised() throws {
        let finding = try Self.finding { heap in
            let state = heap.node("Game.State")
            let (machine, closure) = (heap.node("Game.Machine", strong: 0, flags: [.swift, .deinited]), heap.closure())
            heap.refer(state, "onEnter", closure, calling: "closure #1 in Machine.init()")
            heap.refer(closure, "", state, kind: .capture, calling: "closure #1 in Machine.init()")
            heap.refer(closure, "", machine, kind: .capture, ownership: .unowned)
            heap.refer(machine, "current", state)
        }
        #expect(finding.fixFrees == Finding.Freed(blocks: 3, of: 3))
    }

    @Test("other references between the objects of a component are listed as its knot")
    func knotted() throws {
        let finding = try Self.finding { heap in
            let (channel, line) = (heap.node("Game.Channel"), heap.node("Game.Line"))
            let (first, second) = (heap.node("Game.Stage", strong: 2), heap.node("Game.Stage"))
            heap.refer(channel, "line", line)
            heap.refer(line, "channel", channel)
            heap.refer(line, "head", first)
            heap.refer(first, "next", second)
            heap.refer(second, "previous", first)
            heap.refer(second, "line", line)
        }
        #expect(Set((finding.references + (finding.knot ?? [])).map(\.path)).count == 5)
        #expect(finding.message.contains("hold each other in one knot with"), "\(finding.message)")
    }
}
