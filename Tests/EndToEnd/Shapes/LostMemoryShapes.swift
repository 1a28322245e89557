import Foundation
import Testing

@testable import GameprofAnalysis

/// A case of `LostMemory.c`: what other leak checkers are tested with. `lost`: how many blocks nothing refers to.
struct LostMemoryShape: Sendable, CustomStringConvertible {
    var name: String
    var lost: Int

    init(_ name: String, lost: Int) {
        self.name = name
        self.lost = lost
    }

    var description: String { name }

    static let all = [
        // Blocks that name one another.
        LostMemoryShape("direct", lost: 1), LostMemoryShape("chain", lost: 3), LostMemoryShape("self", lost: 1),
        LostMemoryShape("cycle", lost: 2), LostMemoryShape("two-cycles", lost: 6),
        LostMemoryShape("cycle-behind-a-block", lost: 3), LostMemoryShape("held-cycle", lost: 0),
        LostMemoryShape("lost-tree", lost: 7), LostMemoryShape("lost-branch", lost: 3),
        LostMemoryShape("held-tree", lost: 0), LostMemoryShape("overwritten", lost: 1),
        LostMemoryShape("empty", lost: 1), LostMemoryShape("large", lost: 1), LostMemoryShape("pool", lost: 1),
        LostMemoryShape("held-pool", lost: 0), LostMemoryShape("holder-unmapped", lost: 1),
        LostMemoryShape("stale-stack", lost: 1),
        // Blocks in several mappings.
        LostMemoryShape("protected-part", lost: 1), LostMemoryShape("unreadable-part", lost: 1),
        LostMemoryShape("unreadable-start", lost: 1), LostMemoryShape("locked-part", lost: 1),
        LostMemoryShape("advised-part", lost: 1), LostMemoryShape("held-behind-a-split", lost: 2),
        LostMemoryShape("held-by-split-block", lost: 0), LostMemoryShape("held-by-unreadable", lost: 0),
        // Threads, ended and running.
        LostMemoryShape("joined-context", lost: 1), LostMemoryShape("joined-context-with-heap", lost: 1),
        LostMemoryShape("many-contexts", lost: 100), LostMemoryShape("late-allocation", lost: 1),
        LostMemoryShape("lost-in-destructor", lost: 1), LostMemoryShape("specific-of-ended", lost: 1),
        LostMemoryShape("specific-of-first", lost: 0), LostMemoryShape("specific-late-key", lost: 0),
        LostMemoryShape("specific-freed", lost: 0), LostMemoryShape("local-of-ended", lost: 1),
        LostMemoryShape("local-of-first", lost: 0), LostMemoryShape("lost-result", lost: 1),
        LostMemoryShape("exited-with-context", lost: 1), LostMemoryShape("unjoined-context", lost: 1),
        LostMemoryShape("detached-context", lost: 1), LostMemoryShape("unjoined-result", lost: 0),
        LostMemoryShape("own-stack", lost: 0), LostMemoryShape("on-running-stack", lost: 0),
        LostMemoryShape("in-register", lost: 0), LostMemoryShape("in-registers-of-waker", lost: 1),
        // Coroutines, fork.
        LostMemoryShape("held-routine", lost: 0), LostMemoryShape("lost-routine", lost: 2),
        LostMemoryShape("lost-before-fork", lost: 1),
        // Ways to hold.
        LostMemoryShape("global", lost: 0), LostMemoryShape("local-static", lost: 0),
        LostMemoryShape("interior", lost: 0), LostMemoryShape("last-byte", lost: 0),
        LostMemoryShape("unaligned", lost: 0), LostMemoryShape("mapped", lost: 0), LostMemoryShape("shared", lost: 0),
        LostMemoryShape("moved", lost: 0), LostMemoryShape("too-large", lost: 1),
        LostMemoryShape("freed-at-exit", lost: 0), LostMemoryShape("halves-of-two-pointers", lost: 1),
        LostMemoryShape("pointer-and-number", lost: 1), LostMemoryShape("block-and-number", lost: 1),
        LostMemoryShape("halves-in-a-row", lost: 0),
    ]
}

@Suite struct LostMemoryTests {
    @Test("of a C program exactly the blocks are lost that nothing refers to", arguments: LostMemoryShape.all)
    func lost(_ shape: LostMemoryShape) throws {
        let recording = try RecordedReport.leaks(of: CProgram.compile("LostMemory.c"), [shape.name])
        let errors = recording.report.errors
        #expect(errors.flatMap { $0.objects.values }.reduce(0, +) == shape.lost)
        #expect(errors.allSatisfy { $0.kind == .rawLeak })
        #expect(recording.status == (shape.lost > 0 ? 1 : 0), "\(recording.error)")
    }

    @Test("of more than a million lost blocks each is counted, and the heaviest leak comes first")
    func veryMany() throws {
        let recording = try RecordedReport.leaks(of: CProgram.compile("LostMemory.c"), ["very-many"])
        let errors = recording.report.errors
        try #require(errors.count == 2, "\(recording.error)")
        #expect(errors[0].isAllocated(by: "very_many"))
        #expect(errors[0].count == 2)
        #expect(errors[0].bytes == 2 * 64 << 20)
        #expect(errors[1].isAllocated(by: "chain_of_three"))
        #expect(errors[1].objects == ["memory": 1_050_000])
        #expect(errors[1].bytes == 16 * 1_050_000)
        #expect(recording.status == 1)
    }

    @Test("among more than a million lost objects a ring of many thousands is one cycle")
    func hugeRing() throws {
        let program = try SwiftProgram.compile(files: ["HugeRing.swift"], module: "HugeRing", build: .onone)
        let folder = try TemporaryFolder()
        let json = folder.url.appending(path: "report.json")
        let result = try Command.run(
            Products.gameprof, ["leaks", "--json", json.path, "--why", "Lone", "--", program.path])
        let report = try Report(json: json)
        let ofRing = report.errors.filter { $0.objects["HugeRing.Link"] != nil || $0.type == "HugeRing.Link" }
        #expect(ofRing.map(\.kind) == [.retainCycle])
        #expect(ofRing.first?.objects == ["HugeRing.Link": 100_000], "\(result.error)")
        #expect(report.errors.count == 2)
        #expect(result.error.contains("1,000,000 objects are leaked"), "\(result.error)")
    }

    @Test("what a forked child loses is not looked for")
    func forkedChild() throws {
        let recording = try RecordedReport.leaks(of: CProgram.compile("LostMemory.c"), ["lost-in-child"])
        #expect(recording.report.errors.isEmpty)
    }
}
