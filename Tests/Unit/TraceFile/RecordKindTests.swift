import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofTrace

@Test("every record kind of the header that declares the bytes is read, and no other")
func kindsAreThoseOfTheHeader() throws {
    let header = try String(
        contentsOf: Repository.file("Sources/Recorder/TraceFormat/include/TraceFormat.h"), encoding: .utf8)
    let records = try #require(
        header.firstRange(of: "GP_END = 0x00").map { header[$0.lowerBound...].prefix { $0 != "}" } })
    let declared = records.matches(of: /GP_[A-Z_]+ = 0x([0-9a-f]{2}),/).compactMap { UInt8($0.output.1, radix: 16) }
    #expect(Set(declared) == Set(RecordKind.allCases.map(\.rawValue) + [0]))
}

@Test("the trace of everything has a record of every kind but the probes that look alike")
func everyKindIsTested() {
    let encoded = Set(everyRecord.compactMap { RecordEncoder.encode($0).first.flatMap(RecordKind.init) })
    let alike: Set<RecordKind> = [
        .probeEnd, .probeStart, .probeSpan, .probeLongSpan, .probeEvent, .probeFrame, .zombie, .zombieSummary,
    ]
    #expect(encoded.union(alike) == Set(RecordKind.allCases))
}

@Test func `the kinds of blocks are those of all records`() {
    let all: [BlockKind: RecordKind] = [
        .allocation: .allocation, .free: .free, .temporary: .temporary, .repetition: .repetition, .time: .time,
    ]
    #expect(Set(all.keys) == Set(BlockKind.allCases))
    for (block, kind) in all { #expect(block.rawValue == kind.rawValue) }
}
