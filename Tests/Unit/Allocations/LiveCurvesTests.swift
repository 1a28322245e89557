import GameprofTestSupport
import Testing

@testable import GameprofTrace

@Suite struct LiveCurvesTests {
    @Test("a curve has the live bytes of its stack through the run") func levels() throws {
        var trace = TraceBuilder()
        let (kept, freed, small) = (trace.stack(0x100), trace.stack(0x200), trace.stack(0x300))
        for step in 0..<64 {
            trace.time(UInt64(step) * 1_000_000)
            trace.allocate(1024, at: kept)
            trace.allocate(1024, at: freed)
            trace.allocate(8, at: small)
        }
        for _ in 0..<64 { trace.free(1024, of: freed) }
        let curves = try recording(trace).allocations.liveCurves
        let levels = try #require(curves[kept])
        #expect(levels == levels.sorted() && levels.last == 64 << 10)
        let half = curves.overTime(levels, columns: 2)
        #expect((28 << 10...34 << 10).contains(half[0]) && half[1] == 64 << 10, "\(half)")
        let other = try #require(curves[freed])
        #expect(other.max() ?? 0 > 60 << 10 && other.last == 0)
        #expect(curves[small] == nil, "less than a kilobyte")
    }

    @Test("what comes and goes within a part raises no level") func passing() throws {
        var trace = TraceBuilder()
        let stack = trace.stack(0x100)
        for step in 0..<64 {
            trace.time(UInt64(step) * 1_000_000)
            for _ in 0..<8 { trace.allocate(1024, at: stack) }
            for _ in 0..<(step == 0 ? 6 : 8) { trace.free(1024, of: stack) }
        }
        let levels = try #require(try recording(trace).allocations.liveCurves[stack])
        #expect(Set(levels.dropFirst()) == [2 << 10], "\(levels)")
    }

    @Test("growth before a long wait takes more than half of the parts") func waiting() throws {
        var trace = TraceBuilder()
        let stack = trace.stack(0x100)
        for step in 0..<64 {
            trace.time(UInt64(step) * 1_000_000)
            trace.allocate(1024, at: stack)
        }
        trace.time(10_000_000_000)
        trace.allocate(8)
        let curves = try recording(trace).allocations.liveCurves
        let levels = try #require(curves[stack])
        #expect(Set(levels).count > 30)
        #expect(curves.overTime(levels, columns: 10).allSatisfy { $0 > 60 << 10 })
    }

    @Test("the recorder's search after the program's end is no part of the run", arguments: [true, false])
    func search(hasExit: Bool) throws {
        var trace = TraceBuilder()
        let stack = trace.stack(0x100)
        for step in 0..<64 {
            trace.time(UInt64(step) * 1_000_000)
            trace.allocate(1024, at: stack)
        }
        trace.time(10_000_000_000)
        let end: UInt64 = 64_000_000
        for wall in hasExit ? [end, 11_000_000_000] : [11_000_000_000] {
            trace.append(.programExit(ProgramExitRecord(status: .signal(15), wall: wall)))
        }
        if !hasExit {
            trace.append(.heap(.begin(HeapBeginRecord(snapshot: SnapshotID(1), time: end))))
            trace.append(.heap(.end(HeapEndRecord(snapshot: SnapshotID(1)))))
        }
        let result = try recording(trace)
        if hasExit { #expect(result.wallNanoseconds == end && result.exit?.wall == end) }
        let levels = try #require(result.allocations.liveCurves[stack])
        let half = result.allocations.liveCurves.overTime(levels, columns: 2)
        #expect((28 << 10...36 << 10).contains(half[0]), "\(half)")
    }
}
