import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofTrace

/// Writes the trace, reads it as a recording, removes it.
func recording(_ builder: TraceBuilder) throws -> Recording {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).gptrace").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try builder.write(to: path)
    return try RecordingReader.read(path: path)
}

@Test func totalsPeakAndLiveBytesAreExactForOneThread() throws {
    var trace = TraceBuilder()
    let stack = trace.stack(0x100, 0x200)
    trace.allocate(100, at: stack)
    trace.allocate(50, at: stack)
    trace.free(100, of: stack)
    trace.temporary(70, at: stack, count: 3)
    let totals = try recording(trace).allocations.totals
    #expect(totals.allocations == 5)
    #expect(totals.frees == 4)
    #expect(totals.bytes == 360)
    #expect(totals.liveBytes == 50)
    #expect(totals.liveCount == 1)
    #expect(totals.peakBytes == 150)
    #expect(totals.temporary == 3)
}

@Test func numbersOfADamagedTraceThatCannotBeAddedAreNoTrap() throws {
    var trace = TraceBuilder()
    let stack = trace.stack(0x100)
    trace.temporary(70, at: stack, count: .max)
    trace.temporary(70, at: stack, count: .max / 2 + 2)
    for _ in 0..<4 { trace.allocate(0xffff_ffff_ffff, at: stack) }
    trace.append(.loss(RemarkRecord(events: .max, sentence: "lost")))
    trace.append(.loss(RemarkRecord(events: .max, sentence: "lost")))
    let result = try recording(trace)
    #expect(result.capture.problems.filter { $0 == "lost" }.count == 2)
}

@Test func stacksAreCountedApart() throws {
    var trace = TraceBuilder()
    let first = trace.stack(0x100)
    let second = trace.stack(0x200)
    trace.allocate(10, at: first)
    trace.allocate(1000, at: second)
    trace.free(1000, of: second)
    trace.allocate(10, at: first)
    let rows = try recording(trace).allocations.byStack
    #expect(rows.map(\.stack) == [second, first])
    #expect(rows.map(\.counts.peakBytes) == [1000, 20])
    #expect(rows.map(\.counts.liveBytes) == [0, 20])
}

@Test func freedBlocksHaveTheTypeReadAsTheyDied() throws {
    var trace = TraceBuilder()
    let card = trace.type("Game.Card")
    let stack = trace.stack(0x100)
    trace.allocate(48, at: stack)
    trace.free(48, of: stack, type: card)
    trace.temporary(48, at: stack, type: card, count: 2)
    trace.allocate(8)
    let result = try recording(trace)
    let row = try #require(result.allocations.byType.first { $0.type == card })
    #expect(result.types.name(card) == "Game.Card")
    #expect(row.counts.allocations == 3)
    #expect(row.counts.bytes == 144)
    #expect(row.counts.peakBytes == 48)
    let rest = try #require(result.allocations.byType.first { $0.type.isNone })
    #expect(rest.counts.allocations == 1)
    #expect(rest.counts.liveBytes == 8)
}

@Test func livingBlocksHaveTheTypeOfTheCensus() throws {
    var trace = TraceBuilder()
    let card = trace.type("Game.Card")
    let stack = trace.stack(0x100)
    for _ in 0..<5 { trace.allocate(48, at: stack) }
    trace.beginSnapshot()
    trace.append(.heap(.census(HeapCensusRecord(type: card, stack: stack, count: 5, bytes: 240))))
    trace.endSnapshot()
    let allocations = try recording(trace).allocations
    #expect(allocations.byType.count == 1)
    #expect(allocations.byType[0].type == card)
    #expect(allocations.byType[0].counts.liveBytes == 240)
    #expect(allocations.byType[0].counts.peakBytes == 240)
    #expect(allocations.byStack[0].type == card)
}

@Test("living blocks of a program that a fault ended have the types that were read then")
func typesOfWhatLivedAtAFault() throws {
    var trace = TraceBuilder()
    let card = trace.type("Game.Card")
    let stack = trace.stack(0x100)
    for _ in 0..<5 { trace.allocate(48, at: stack) }
    trace.append(.liveType(HeapCensusRecord(type: card, stack: stack, count: 5, bytes: 240)))
    let allocations = try recording(trace).allocations
    #expect(allocations.byType.map(\.type) == [card])
    #expect(allocations.byType[0].counts.liveBytes == 240)
}

@Test func threadsAreMergedInTheOrderOfTime() throws {
    var trace = TraceBuilder()
    trace.chunk(thread: 1, time: 0)
    for step in 0..<10 as Range<UInt64> {
        trace.time(step * 1000)
        trace.allocate(100)
        trace.time(step * 1000 + 300)
        trace.free(100)
    }
    trace.chunk(thread: 2, time: 500)
    for step in 0..<10 as Range<UInt64> {
        trace.time(step * 1000 + 500)
        trace.allocate(100)
        trace.time(step * 1000 + 800)
        trace.free(100)
    }
    #expect(try recording(trace).allocations.totals.peakBytes == 100)
}

@Test func theTimelineIsBoundedAndKeepsThePeak() throws {
    var trace = TraceBuilder()
    for step in 0..<20_000 as Range<UInt64> {
        trace.time(step * 1_000_000)
        trace.allocate(step == 12_345 ? 1_000_000 : 10)
        trace.free(step == 12_345 ? 1_000_000 : 10)
    }
    let allocations = try recording(trace).allocations
    #expect(allocations.timeline.count <= 1024 && allocations.timeline.count > 256)
    #expect(allocations.timeline.map(\.liveBytes).max() == 1_000_000)
    #expect(allocations.peakTime == 12_345_000_000)
    #expect(zip(allocations.timeline, allocations.timeline.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(zip(allocations.timeline, allocations.timeline.dropFirst()).allSatisfy { $0.allocations <= $1.allocations })
}

@Test func absurdNumbersNeitherCrashNorTakeMemory() throws {
    var trace = TraceBuilder()
    trace.allocate(.max, at: StackID(.max))
    trace.free(.max, of: StackID(.max - 1), type: TypeID(.max))
    trace.append(.repetition(.max))
    trace.temporary(1 << 47, count: .max)
    trace.append(.frame(FrameRecord(id: FrameID(.max), parent: FrameID(.max), pc: 1)))
    trace.append(.frame(FrameRecord(id: FrameID(1), parent: FrameID(1), pc: 1)))
    trace.time(.max)
    trace.allocate(1)
    let result = try recording(trace)
    #expect(result.frames.count < 1_000_000)
    #expect(result.frames.frames(of: StackID(1)).count == 1024)
}

@Test("what grows is the same however often the runtime makes a task wait for its turn") func jobsAreNoWork() throws {
    func grown(jobs: UInt64) throws -> [UInt64] {
        var trace = TraceBuilder()
        let (card, job) = (trace.type("Game.Card"), trace.type("Swift.Job", kind: .job))
        let (kept, passing, scheduler) = (trace.stack(0x100), trace.stack(0x200), trace.stack(0x300))
        for step in 0..<400 as Range<UInt64> {
            trace.allocate(48, at: kept)
            trace.temporary(16, at: passing, type: card, count: 1)
            if step > 200, jobs > 0 {
                trace.temporary(80, at: scheduler, type: job, count: jobs)
                trace.allocate(80, at: scheduler)
                trace.free(80, of: scheduler, type: job)
            }
        }
        let allocations = try recording(trace).allocations
        let row = try #require(allocations.byStack.first { $0.stack == kept })
        #expect(allocations.growth.map(\.stack) == [kept])
        return [row.firstEvent, row.lastEvent, row.firstFrees, row.lastFrees, allocations.lastAllocation]
    }
    let quiet = try grown(jobs: 0)
    #expect(try grown(jobs: 1) == quiet)
    #expect(try grown(jobs: 9) == quiet)
}
