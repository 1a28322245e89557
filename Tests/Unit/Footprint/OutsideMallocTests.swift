import GameprofTestSupport
import Testing

@testable import GameprofAnalysis
@testable import GameprofTrace

@Suite struct OutsideMallocTests {
    /// The findings in ranges of one stack, 2 MB each.
    private static func findings(
        _ referrers: [ResidentRangeRecord.Referrer], of kind: ResidentRangeRecord.Kind = .mapped,
        bytes: UInt64 = 2 << 20, threads: UInt32 = 1
    ) -> [AnalyzedFinding] {
        let symbols = HeapFixture()
        let stack = symbols.stack("Camera.capture()", "main")
        var snapshot = HeapSnapshot(
            begin: HeapBeginRecord(snapshot: SnapshotID(1), threads: threads))
        snapshot.resident.ranges = referrers.enumerated().map { index, referrer in
            let start = 0x7000_0000 + UInt64(index) * 2 * bytes
            var range = ResidentRangeRecord(kind: kind, stack: stack, start: start, end: start + bytes, resident: 4096)
            range.referrer = referrer
            return range
        }
        return OutsideMalloc(recording: Recording(), symbolicator: symbols).findings(in: snapshot)
    }

    @Test func `mappings of one maker that nothing refers to are one finding`() throws {
        let finding = try #require(Self.findings([.none, .lasting, .none, .none]).first)
        #expect(finding.facts.count == 3 && finding.facts.bytes == 6 << 20)
        #expect(finding.cause == .lostMappings(path: nil, maker: "Camera.capture()", resident: 3 * 4096))
    }

    @Test func `what a stale word on a stack may name counts with many others, and not with few`() {
        #expect(Self.findings([.none, .none, .none, .passing]).first?.facts.count == 4)
        #expect(Self.findings([.none, .none, .passing, .passing]).isEmpty)
        #expect(Self.findings([.none, .none, .lasting, .notSearched]).isEmpty)
    }

    @Test func `small mappings that each thread may have are no finding`() {
        #expect(Self.findings(Array(repeating: .none, count: 4), bytes: 1 << 16, threads: 4).isEmpty)
        #expect(Self.findings(Array(repeating: .none, count: 5), bytes: 1 << 16, threads: 4).count == 1)
    }

    @Test func `threads are told by what made them`() throws {
        let finding = try #require(Self.findings([.none, .none, .none], of: .unjoinedStack).first)
        #expect(finding.cause == .unjoinedThreads(maker: "Camera.capture()", resident: 3 * 4096))
    }
}
