import Foundation
import GameprofTestSupport
import Testing

@testable import GameprofTrace

/// Traces of so many chunks that another thread reads ahead. Each chunk has one allocation, of as many bytes as its number.
@Suite struct ManyChunksTests {
    private static let count = 100
    private static let damaged = 41

    private func trace(damage: Bool = true) throws -> TemporaryTrace {
        var builder = TraceBuilder()
        builder.allocate(1)
        for number in 2...Self.count {
            builder.chunk(thread: 1, time: UInt64(1000 - number))
            builder.allocate(UInt64(number))
        }
        var bytes = builder.bytes()
        if damage { bytes[Self.damaged * 65_536] ^= 0xff }
        return try TemporaryTrace(bytes)
    }

    private func sizes(_ reader: TraceReader, until last: UInt64 = .max) throws -> [UInt64] {
        struct Enough: Error {}
        var sizes: [UInt64] = []
        do {
            try reader.readRecords { record, _ in
                guard case .allocation(let allocation) = record else { return }
                sizes.append(allocation.size)
                if allocation.size == last { throw Enough() }
            }
        } catch is Enough {}
        return sizes
    }

    @Test func `all chunks are read in order, and a damaged one is counted once`() throws {
        let trace = try trace()
        let reader = try TraceReader(path: trace.path)
        let whole = (1...UInt64(Self.count)).filter { $0 != UInt64(Self.damaged) }
        #expect(try sizes(reader) == whole)
        #expect(try sizes(reader) == whole)
        #expect(reader.damage.lostChunks == 1)
    }

    @Test func `a compressed trace gives the same, and who has enough may leave`() throws {
        let trace = try trace(damage: false)
        try TraceFinisher.store([], in: trace.path)
        let reader = try TraceReader(path: trace.path)
        #expect(reader.header.isCompressed)
        #expect(try sizes(reader) == Array(1...UInt64(Self.count)))
        #expect(try sizes(reader, until: 50) == Array(1...50))
    }

    @Test func `chunks are walked through in the order of time`() throws {
        let trace = try trace()
        let reader = try TraceReader(path: trace.path)
        var starts: [TimeOrder.Start] = []
        try reader.forEachChunk { index, chunk in
            starts.append(TimeOrder.Start(index: index, time: chunk.startTime, sequence: chunk.sequence))
        }
        var sequences: [UInt64] = []
        try TimeOrder(reader: reader, starts: starts).forEachRun { cursor, _ in
            sequences.append(cursor.sequence)
            return true
        }
        let later = (2...UInt64(Self.count)).reversed().filter { $0 != UInt64(Self.damaged) }
        #expect(sequences == [1] + later)
    }
}
