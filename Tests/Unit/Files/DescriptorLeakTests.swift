import GameprofTestSupport
import GameprofTraceFile
import Testing

@testable import GameprofAnalyses
@testable import GameprofRecording
@testable import GameprofReportModel
@testable import GameprofSymbolication

@Suite struct DescriptorLeakTests {
    private static let stack = StackID(7)

    private struct Opening {
        var kind = FileNameRecord.Kind.path
        var count = 20
        /// Of the run's 1,000 parts: when they are opened, one after another.
        var moments = 100...900
        /// When each was last used; nil: at once.
        var used: UInt64?
        var closed: UInt64 = 0
        var exhausted: UInt32 = 0
    }

    private static func findings(
        _ opening: Opening, stacks: [StackID] = [stack], of symbols: HeapFixture = HeapFixture()
    ) -> [AnalyzedFinding] {
        var uses = FileUses()
        for stack in stacks { add(opening, of: stack, to: &uses) }
        let builder = FileSectionBuilder(uses: uses, symbolicator: symbols)
        return DescriptorLeaks(builder: builder, span: 1_000).findings()
    }

    private static func add(_ opening: Opening, of stack: StackID, to uses: inout FileUses) {
        uses.add(.name(FileNameRecord(kind: opening.kind, id: FileID(1), name: "/tmp/scores")))
        uses.add(
            .use(
                FileUseRecord(
                    operation: .open, file: FileID(1), stack: stack,
                    calls: UInt64(opening.count) + opening.closed + UInt64(opening.exhausted),
                    failures: opening.exhausted, exhausted: opening.exhausted)))
        let width = opening.moments.upperBound - opening.moments.lowerBound
        for index in 0..<opening.count {
            let moment = UInt64(opening.moments.lowerBound + width * index / max(1, opening.count - 1))
            uses.add(
                .open(
                    OpenFileRecord(
                        file: FileID(1), stack: stack, descriptor: UInt32(3 + index), opened: moment,
                        used: opening.used ?? moment)))
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
            Opening(count: 7), Opening(moments: 100...200), Opening(moments: 100...700), Opening(used: 950),
            Opening(kind: .socket), Opening(kind: .pipe), Opening(kind: .event), Opening(closed: 21),
        ])
    private func kept(_ opening: Opening) { #expect(Self.findings(opening).isEmpty) }

    @Test("where no descriptor was left, whoever has most of them is named")
    func exhausted() {
        let sockets = Opening(kind: .socket, used: 950, exhausted: 2)
        #expect(Self.findings(sockets).count == 1)
        #expect(Self.findings(Opening(kind: .socket, count: 15, used: 950, exhausted: 2)).isEmpty)
    }
}
