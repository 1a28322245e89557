import Testing

@testable import GameprofAnalysis
@testable import GameprofBasics
@testable import GameprofReport
@testable import GameprofTrace

/// A fix that the user's sources take, and titles that tell.
@Suite struct HeapWordingTests {
    @Test(
        "what was not allocated is said to be opened, mapped or started",
        arguments: [
            (.descriptorLeak, "Opened in Board.draw()."), (.lostMapping, "Mapped in Board.draw()."),
            (.unjoinedThread, "Started in Board.draw()."), (.leak, "Made in Board.draw()."),
        ] as [(Finding.Kind, String)])
    func origin(_ kind: Finding.Kind, _ sentence: String) {
        var finding = Finding(kind: kind, signature: "1", title: "Lost", type: "memory")
        finding.allocatedBy = CallStack(frames: [CallStack.Frame(function: "Board.draw()")])
        #expect(FindingSummary.text(finding).split(separator: "\n").contains(Substring(sentence)))
    }

    @Test("every finding of a report has a title, a message and a fix, and every suspect an explanation")
    func nothingIsWordless() {
        let findings = ReportFixture.full.findings
        #expect(Set(findings.map(\.kind)) == [.retainCycle, .leak, .overRetain, .rawLeak])
        for finding in findings {
            #expect(!finding.title.isEmpty && !finding.message.isEmpty && finding.fix?.isEmpty == false)
            #expect(finding.references.compactMap(\.suspect).allSatisfy { !$0.explanation.isEmpty })
        }
    }

    @Test("the text of a warning says why it is no error, and that of an error repeats nothing")
    func whyItIsAWarning() {
        for severity in [Finding.Severity.warning, .error] {
            var finding = Finding(
                kind: .leak, severity: severity, signature: "0", title: "Leak: Card", type: "Game.Card")
            finding.message = "Nothing refers to Card, but deal() had not returned."
            let text = TextFinding(finding: finding, names: ShortNames([]), style: TextStyle(width: 100)).lines
            #expect(text.contains("    why      \(finding.message)") == (severity == .warning))
        }
    }

    @Test("changes that read alike are one line with their number")
    func equalChanges() {
        let closure = Finding.Closure(place: nil, name: "closure #1 in Board.start()")
        func worded(_ number: Int) -> Finding {
            var finding = AnalyzedFinding(
                .retainCycle(suspect: nil), remedy: .clearClosureVariable(closure), signature: "", type: "Game.Board")
            finding.alsoNeeded = [.clearClosureVariable(closure), .clearClosureVariable(closure)]
            finding.alsoNeeded += (0..<number).map { .free(maker: "f\($0)()") }
            return Finding(finding)
        }
        #expect(worded(0).fixes == nil && worded(0).fix?.hasSuffix(" (3 times)") == true)
        #expect(worded(1).fixes?.count == 2 && worded(1).fixes?.first?.hasSuffix(" (3 times)") == true)
        #expect(FindingFix.lines(of: worded(1)).remark == "each change may be needed, but this was not proved")
    }

    @Test("a captured variable that holds its own closure is one step, with a fix that compiles")
    func captureOfItsOwnClosure() throws {
        let heap = HeapFixture()
        let variable = heap.closure()
        heap.refer(variable, "", variable, kind: .capture, calling: "closure #1 in deal()")
        let finding = try #require(heap.findings.only)
        #expect(finding.references.count == 1)
        let text = TextReport.render(heap.report(), style: TextStyle(width: 100))
        #expect(text.contains("▸ closure #1 in deal()  strong →  closure #1 in deal()    ← suspect"), "\(text)")
        #expect(finding.fix?.hasPrefix("set the captured variable that holds the closure at Puzzle.swift:118") == true)
    }

    @Test("the box of a captured variable between a closure and itself is no closure")
    func boxBetweenClosures() throws {
        let heap = HeapFixture()
        let context = heap.closure()
        let variable = heap.node("", kind: .local, size: 32)
        heap.refer(context, "", heap.node("Game.Card"), kind: .capture)
        heap.refer(context, "", variable, kind: .capture)
        heap.refer(variable, "", context, kind: .capture, calling: "closure #1 in deal()")
        let reference = try #require(heap.findings.only?.references.only)
        #expect(reference.from == "closure #1 in deal()")
        #expect(reference.via == ["captured variable"])
    }

    @Test("two captured variables that hold each other's closures are two steps")
    func twoVariables() throws {
        let heap = HeapFixture()
        let (ping, pong) = (heap.closure(), heap.closure())
        heap.refer(ping, "", pong, kind: .capture, calling: "closure #2 in deal()")
        heap.refer(pong, "", ping, kind: .capture, calling: "closure #1 in deal()")
        let finding = try #require(heap.findings.only)
        let names = ShortNames([])
        #expect(finding.references.flatMap { ReferenceLines.rows($0, names: names) }.count == 2)
        #expect(finding.fix?.contains("weak") == false)
    }

    @Test("generic arguments distinguish no defects: one class in the source, one row")
    func genericArguments() throws {
        let heap = HeapFixture()
        for argument in ["Swift.Int", "Game.Card"] {
            let inner = heap.node("Game.Inner<\(argument)>")
            heap.refer(inner, "me", inner)
            heap.node("Game.Sink<\(argument)>", stack: heap.stack("Board.deal()"))
        }
        #expect(heap.findings.map(\.count) == [2, 2])
    }

    @Test("arrays of different elements are different leaks, and the title says of what")
    func storageElements() {
        let heap = HeapFixture()
        let stack = heap.stack("Board.deal()")
        heap.node("Swift._ContiguousArrayStorage<Game.Card>", stack: stack)
        heap.node("Swift._ContiguousArrayStorage<Game.Tile>", stack: stack)
        #expect(
            Set(heap.findings.map(\.title)) == [
                "Leak: [Card]", "Leak: [Tile]",
            ])
    }

    @Test(
        "a property that a macro made is named in no fix",
        arguments: ["_$observationRegistrar.extent", "$defaultActor"])
    func macroMadeProperty(_ field: String) throws {
        let heap = HeapFixture()
        let model = heap.node("Game.Model")
        heap.refer(model, field, model, calling: "closure #1 in Model.watch()")
        let fix = try #require(heap.findings.only?.fix)
        #expect(fix == "capture self weakly ([weak self]) in the closure at Puzzle.swift:118")
    }

    @Test("a property wrapper's storage is called as the property that the user wrote")
    func wrappedProperty() throws {
        let heap = HeapFixture()
        let owner = heap.node("Game.Owner")
        heap.refer(owner, "_part.wrappedValue", owner)
        #expect(heap.findings.only?.fix == "clear Owner.part when the Owner is done, or let it hold Owner weakly")
    }

    @Test("memory without a type is said to hold possibly, in text and page")
    func untypedMemory() throws {
        let living: HeapObject.Flags = [.swift, .reachable]
        let heap = HeapFixture()
        let memory = heap.raw(size: 64, flags: [.reachable])
        let card = heap.node("Game.Card", flags: living)
        heap.refer(memory, "", card, kind: .raw, ownership: .conservative)
        heap.roots = [HeapRoot(object: memory, kind: .global, address: 0x40)]
        heap.variables = [0x40: SymbolicatedVariable(name: "gCache", image: "lib_FoundationICU.so", origin: .library)]
        let type = heap.typeID("Game.Card")
        heap.targets = [
            HeapTarget(cause: .type, type: type, count: 1, bytes: 32, label: "Card"),
            HeapTarget(cause: .type, object: card, type: type, count: 1, bytes: 32, label: "Card"),
        ]
        let text = TextReport.render(heap.report(), style: TextStyle(width: 100))
        #expect(text.contains("gCache of lib_FoundationICU.so  possible (untyped) →  Card"), "\(text)")
        #expect(try HTMLReport.render(heap.report()).contains("possible (untyped)"))
    }
}
