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
        let width = (opening.moments.upperBound - opening.moments.lowerBound) * 1_000_000
        for index in 0..<opening.count {
            let moment = UInt64(opening.moments.lowerBound * 1_000_000 + width * index / max(1, opening.count - 1))
            uses.add(
                .open(
                    OpenFileRecord(
                        file: FileID(opening.isDistinct ? UInt32(index + 1) : 1), stack: stack,
                        descriptor: UInt32(3 + index), opened: moment,
                        used: opening.used.map { $0 * 1_000_000 } ?? moment, hasPeerClosed: opening.hasPeerClosed)))
        }
    }

    @Test("files that one stack opens until the end, and goes on without, are a finding")
    func lost() throws {
        let finding = try #require(Self.findings(Opening()).first)
        #expect(finding.cause.kind == .descriptorLeak && finding.facts.count == 20)
        #expect(finding.facts.severity == .warning)
        #expect(Self.findings(Opening(closed: 20)).count == 1, "one way out closes, the other forgets")
    }

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
