import Testing

@testable import GameprofAnalysis
@testable import GameprofReport
@testable import GameprofTrace

@Suite struct ZombieMessageTests {
    @Test("a failed test names where a zombie was used and deallocated") func summary() {
        var finding = Finding(kind: .zombie, signature: "1", title: "Zombie: Card", type: "Game.Card")
        func stack(_ function: String) -> CallStack { CallStack(frames: [CallStack.Frame(function: function)]) }
        (finding.usedBy, finding.deallocatedBy) = (stack("Board.draw()"), stack("Deck.clear()"))
        let lines = FindingSummary.text(finding).split(separator: "\n")
        #expect(lines.contains("Used in Board.draw().") && lines.contains("Deallocated in Deck.clear()."))
    }

    @Test(
        "a use of a dead object is a sentence of English",
        arguments: [
            (.retain, "Board was deallocated in Game.reset(), then used by a retain."),
            (.unownedLoad, "Board was deallocated in Game.reset(), then used by an unowned reference load."),
            (.uniquenessCheck, "Board was deallocated in Game.reset(), then used by a uniqueness check."),
            (.referenceCounting, "Board was deallocated in Game.reset(), then used by reference counting."),
            (.free, "Board was freed in Game.reset(), and then freed again."),
        ] as [(Finding.Operation, String)])
    func message(_ operation: Finding.Operation, _ message: String) {
        let finding = AnalyzedFinding(
            .useAfterDeallocation(operation, member: nil, deallocator: "Game.reset()"),
            remedy: .weakenUnowned(type: "App.Board"), signature: "", type: "App.Board")
        #expect(Finding(finding).message == message)
    }

    @Test("notes name what was not watched, and no option that was given")
    func notes() {
        func notes(_ summary: ZombieSummaryRecord) -> String {
            var recording = HeapFixture().recording
            recording.heapSnapshots = []
            recording.program?.instruments = [.zombies]
            recording.zombieSummary = summary
            let report = Report(ReportBuilder.build(recording: recording, symbolicator: HeapFixture()))
            return report.capture.notes.joined(separator: "\n")
        }
        #expect(notes(ZombieSummaryRecord(quarantined: 9)).contains("use --guard"))
        #expect(!notes(ZombieSummaryRecord(quarantined: 9, guarded: 4)).contains("use --guard"))
        #expect(notes(ZombieSummaryRecord(unownedKept: 2)).contains("2 objects stayed in memory after the deinit"))
        #expect(!notes(ZombieSummaryRecord(quarantined: 9)).contains("after the deinit"))
    }

    private func finding(deallocatedIn function: String) throws -> Finding {
        let heap = HeapFixture()
        var recording = heap.recording
        recording.heapSnapshots = []
        recording.program?.instruments = [.zombies]
        let type = heap.typeID("App.Board")
        recording.types = heap.recording.types
        recording.zombies = [
            ZombieRecord(access: .count, object: 16, size: 32, type: type, deallocated: heap.stack(function))
        ]
        return try #require(Report(ReportBuilder.build(recording: recording, symbolicator: heap)).findings.only)
    }

    @Test("the function that gave up the last reference is named where it has a name")
    func deallocator() throws {
        let named = try finding(deallocatedIn: "Game.reset()")
        #expect(named.message == "Board was deallocated in Game.reset(), then used by reference counting.")
        #expect(named.fix?.hasPrefix("Game.reset() at Game.swift:10 released the last reference") == true)
        let unnamed = try finding(deallocatedIn: "game+0x4ccebf")
        #expect(unnamed.message == "Board was deallocated, then used by reference counting.")
        #expect(unnamed.fix?.hasPrefix("the last release released the last reference") == true)
    }

    @Test("a use names the user's innermost function, also an inlined one, and the threads if they differ")
    func user() {
        var finding = AnalyzedFinding(
            .useAfterDeallocation(.retain, member: nil, deallocator: "Game.reset()"),
            remedy: .weakenUnowned(type: "App.Board"), signature: "", type: "App.Board")
        func stack(_ thread: String) -> CallStack {
            CallStack(
                thread: thread,
                frames: [
                    .init(function: "swift_retain", origin: .runtime), .init(function: "Desk.hold()", inlined: true),
                    .init(function: "main"),
                ])
        }
        finding.facts.usedBy = stack("auditor")
        finding.facts.deallocatedBy = stack("auditor")
        #expect(
            Finding(finding).message == "Board was deallocated in Game.reset(), then used by a retain in Desk.hold().")
        finding.facts.deallocatedBy = stack("main")
        #expect(
            Finding(finding).message
                == "Board was deallocated in Game.reset() on thread main, then used by a retain in "
                + "Desk.hold() on thread auditor.")
    }
}
