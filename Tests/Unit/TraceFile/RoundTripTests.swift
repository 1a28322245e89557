import GameprofTestSupport
import Testing

@testable import GameprofTrace

@Test func everyRecordIsReadAsItWasWritten() throws {
    let trace = try TemporaryTrace(traceOfEverything())
    let reader = try TraceReader(path: trace.path)
    var records: [TraceRecord] = []
    try reader.readRecords { record, _ in records.append(record) }
    #expect(records == everyRecord)
    #expect(reader.damage.isNone)
    #expect(reader.unknownRecords == 0)
}

@Test func positionsFollowTimeAndThreadRecords() throws {
    var builder = TraceBuilder()
    builder.chunk(thread: 5, time: 100)
    builder.allocate(8)
    builder.time(200)
    builder.append(.thread(ThreadID(6)))
    builder.allocate(8)
    let trace = try TemporaryTrace(builder)
    var seen: [RecordPosition] = []
    try TraceReader(path: trace.path).readRecords { record, position in
        if case .allocation = record { seen.append(position) }
    }
    #expect(
        seen == [
            RecordPosition(sequence: 2, offset: 32, thread: ThreadID(5), time: 100),
            RecordPosition(sequence: 2, offset: 80, thread: ThreadID(6), time: 200),
        ])
}

@Test func recordsBeyondOneChunkFillTheNext() throws {
    var builder = TraceBuilder()
    for size in 0..<10_000 { builder.allocate(UInt64(size)) }
    let trace = try TemporaryTrace(builder)
    let reader = try TraceReader(path: trace.path)
    var sizes: [UInt64] = []
    try reader.readRecords { record, _ in
        if case .allocation(let allocation) = record { sizes.append(allocation.size) }
    }
    #expect(sizes == (0..<10_000).map(UInt64.init))
    #expect(reader.chunkCount == 3)
}

@Test func aTextLongerThanAChunkIsShortened() throws {
    var builder = TraceBuilder()
    builder.append(.note(RemarkRecord(sentence: String(repeating: "x", count: 100_000))))
    builder.allocate(1)
    let trace = try TemporaryTrace(builder)
    let lines = try trace.dump()
    #expect(lines.count == 2)
    #expect(lines[0].count < 65_536 && lines[0].count > 65_000)
}

@Test func unknownRecordsAreSkippedBySizeAndCounted() throws {
    var builder = TraceBuilder()
    builder.append(.unknown(kind: 0x7f, size: 16))
    builder.append(.unknown(kind: 0xfe, size: 64))
    builder.allocate(5)
    let trace = try TemporaryTrace(builder)
    let reader = try TraceReader(path: trace.path)
    var records: [TraceRecord] = []
    try reader.readRecords { record, _ in records.append(record) }
    #expect(records.last == .allocation(AllocationRecord(size: 5, stack: .none)))
    #expect(reader.unknownRecords == 2)
    #expect(reader.damage.isNone)
}
