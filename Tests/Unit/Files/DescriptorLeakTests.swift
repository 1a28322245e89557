import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

@Suite struct DescriptorLeakTests {
    private static let stack = StackID(7)

    private struct Opening {
        var kind = FileNameRecord.Kind.path
        var count = 20
        /// Milliseconds of the run's 1,000: when they are opened, one after another.
        var moments = 100...900
        /// Milliseconds: when each was last used; nil: at once.
        var used: UInt64?
        /// Each is another file.
        var isDistinct = false
        var hasPeerClosed = false
        var closed: UInt64 = 0
        /// Microseconds for which each of the closed ones was open; nil: the trace does not say.
        var closedAfter: UInt64?
        var isNeverUsed = false
        /// Others that the stack opens are read.
        var isRead = true
        var exhausted: UInt32 = 0
    }

    private static func findings(
        _ opening: Opening, stacks: [StackID] = [stack], of symbols: HeapFixture = HeapFixture()
    ) -> [AnalyzedFinding] {
        var uses = FileUses()
        for stack in stacks { add(opening, of: stack, to: &uses) }
        let builder = FileSectionBuilder(uses: uses, symbolicator: symbols)
        return DescriptorLeaks(builder: builder, span: 1_000_000_000).findings()
    }

    private static func add(_ opening: Opening, of stack: StackID, to uses: inout FileUses) {
        for id in 1...UInt32(opening.count) {
            uses.add(.name(FileNameRecord(kind: opening.kind, id: FileID(id), name: "/tmp/scores\(id)")))
        }
        uses.add(
            .use(
                FileUseRecord(
                    operation: .open, file: FileID(1), stack: stack,
                    calls: UInt64(opening.count) + opening.closed + UInt64(opening.exhausted),
                    failures: opening.exhausted, exhausted: opening.exhausted)))
        if opening.isRead {
            uses.add(.use(FileUseRecord(operation: .read, file: FileID(1), stack: StackID(8), calls: 1, bytes: 1)))
        }
        if let after = opening.closedAfter {
            uses.add(
                .use(
                    FileUseRecord(
                        operation: .close, file: FileID(1), stack: StackID(8), calls: opening.closed,
                        bytes: opening.closed * after * 1000)))
        }
        let width = (opening.moments.upperBound - opening.moments.lowerBound) * 1_000_000
        for index in 0..<opening.count {
            let moment = UInt64(opening.moments.lowerBound * 1_000_000 + width * index / max(1, opening.count - 1))
            uses.add(
                .open(
                    OpenFileRecord(
                        file: FileID(opening.isDistinct ? UInt32(index + 1) : 1), stack: stack,
                        descriptor: UInt32(3 + index), opened: moment,
                        used: opening.isNeverUsed ? 0 : opening.used.map { $0 * 1_000_000 } ?? moment,
                        hasPeerClosed: opening.hasPeerClosed)))
        }
    }

    @Test("files that one stack opens until the end, and goes on without, are a finding")
    func lost() throws {
        let finding = try #require(Self.findings(Opening()).first)
        #expect(finding.cause.kind == .descriptorLeak && finding.facts.count == 20)
        #expect(finding.facts.severity == .warning)
        #expect(Self.findings(Opening(closed: 20)).count == 1, "one way out closes, the other forgets")
    }

    @Test(
        "one way out that forgets is found, however many descriptors the others close",
        arguments: [
            Opening(count: 300, moments: 0...990, closed: 300, closedAfter: 20, isNeverUsed: true),
            Opening(count: 20, moments: 0...990, closed: 20, closedAfter: 20, isNeverUsed: true),
            Opening(count: 150, moments: 0...990, closed: 450, closedAfter: 20),
            Opening(count: 30, moments: 0...990, closed: 570, closedAfter: 20, isNeverUsed: true),
            Opening(count: 450, moments: 0...990, closed: 150, closedAfter: 20),
            Opening(count: 20, moments: 100...700, isDistinct: true, closed: 60, closedAfter: 5_000),
        ])
    private func oneWayOut(_ opening: Opening) {
        #expect(Self.findings(opening).map(\.facts.count) == [opening.count])
    }

    @Test(
        "what comes and goes, and what is kept while others are closed, is no finding",
        arguments: [
            // A cache that closes the oldest, and one that has just begun to.
            Opening(count: 100, moments: 700...990, isDistinct: true, closed: 200, closedAfter: 300_000),
            Opening(count: 100, moments: 330...990, isDistinct: true, closed: 50, closedAfter: 500_000),
            // Files of sessions, which are locked; half of the sessions have ended.
            Opening(count: 60, moments: 100...980, closed: 60, closedAfter: 200_000, isNeverUsed: true),
            // A log that is rotated.
            Opening(count: 1, moments: 980...980, closed: 50, closedAfter: 20_000),
            // Connections that wait at the end of a busy server.
            Opening(kind: .socket, count: 60, moments: 100...980, closed: 5_000, closedAfter: 900),
            // A pool that is filled and kept, beside short checks of the same file.
            Opening(count: 50, moments: 0...40, used: 980, closed: 900, closedAfter: 20),
            Opening(count: 50, moments: 0...40, closed: 900, closedAfter: 20, isNeverUsed: true),
            // A few of many, mapped files, and a trace that does not say how long files were open.
            Opening(count: 19, moments: 0...990, closed: 400, closedAfter: 20),
            Opening(count: 300, moments: 0...990, isNeverUsed: true),
            Opening(count: 300, moments: 0...990, closed: 300, closedAfter: 20, isNeverUsed: true, isRead: false),
            Opening(count: 150, moments: 0...990, closed: 450),
        ])
    private func comingAndGoing(_ opening: Opening) { #expect(Self.findings(opening).isEmpty) }

    @Test("an initializer that opens is named itself, and not its caller")
    func initializer() throws {
        let symbols = HeapFixture()
        let stack = symbols.stack("VersionProbe.init(tool:)", "main")
        let finding = try #require(Self.findings(Opening(), stacks: [stack], of: symbols).first)
        guard case .unclosedDescriptors(_, _, let maker, _) = finding.cause else {
            Issue.record("\(finding.cause)")
            return
        }
        #expect(maker == "VersionProbe.init(tool:)")
    }

    @Test func `two ways of a runtime to the same function are one finding`() throws {
        let symbols = HeapFixture()
        let stacks = ["swift_job_run", "start_thread"].map { outer in
            symbols.stack([
                SymbolicatedFrame(function: "save(_:)", module: "Game", file: "/src/Game.swift", line: 10),
                SymbolicatedFrame(function: outer, module: "libc", origin: .runtime),
            ])
        }
        let findings = Self.findings(Opening(), stacks: stacks, of: symbols)
        #expect(findings.map(\.facts.count) == [40])
    }

    @Test(
        "no finding of what a program may keep open",
        arguments: [
            Opening(count: 7), Opening(moments: 100...200), Opening(moments: 100...350, isDistinct: true),
            Opening(count: 19, moments: 100...700), Opening(used: 950),
            Opening(kind: .socket), Opening(kind: .pipe), Opening(kind: .event), Opening(closed: 21),
            Opening(kind: .socket, used: 950, hasPeerClosed: true),
        ])
    private func kept(_ opening: Opening) { #expect(Self.findings(opening).isEmpty) }

    @Test(arguments: [
        Opening(moments: 20...400), Opening(count: 100, moments: 20...400, isDistinct: true),
        Opening(kind: .socket, moments: 20...200, hasPeerClosed: true),
    ])
    private func `a run that idles at its end hides no descriptor that was lost before`(_ opening: Opening) {
        #expect(Self.findings(opening).map(\.facts.count) == [opening.count])
    }

    @Test func `calls on one line are one stack`() {
        let symbols = HeapFixture()
        let stacks = (0..<20).map { _ in
            symbols.stack([SymbolicatedFrame(function: "forget(_:)", module: "Game", file: "/src/Game.swift", line: 4)])
        }
        var uses = FileUses()
        for (index, stack) in stacks.enumerated() {
            Self.add(Opening(count: 1, moments: 40 * index...40 * index), of: stack, to: &uses)
        }
        let builder = FileSectionBuilder(uses: uses, symbolicator: symbols)
        #expect(builder.section().neverClosed.map(\.count) == [20])
        #expect(DescriptorLeaks(builder: builder, span: 1_000_000_000).findings().map(\.facts.count) == [20])
    }

    @Test("where no descriptor was left, whoever has most of them is named")
    func exhausted() {
        let sockets = Opening(kind: .socket, used: 950, exhausted: 2)
        #expect(Self.findings(sockets).count == 1)
        #expect(Self.findings(Opening(kind: .socket, count: 15, used: 950, exhausted: 2)).isEmpty)
    }
}
