import Foundation
import GameprofBasics

/// The sampled blocks as a profile of pprof: allocated and live, count and bytes, by stack and type.
package enum HeapProfile {
    /// What readers show first.
    package enum Shown { case live, allocated }

    /// Rows of a profile; what is smaller is one row.
    static let rowsMost = 16384

    private static let space = PprofWriter.ValueType("space", unit: "bytes")

    /// `frames`: the addresses of a stack's instructions, innermost first.
    package static func encode(
        _ heap: HeapFigures, shown: Shown, frames: @escaping (UInt32) -> [UInt64]
    ) -> [UInt8] {
        let rows = heap.rows.map { row in
            let all = row.live + row.freed
            return Row(
                stack: row.stack, type: row.type,
                values: [all.wholeCount, all.wholeBytes, row.live.wholeCount, row.live.wholeBytes])
        }
        return encode(
            rows, names: ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"], frames: frames,
            .init(
                unixNanoseconds: UInt64(nanosecondsSince1970: Date()), nanoseconds: 0, periodType: space,
                period: heap.mean, comments: remarks(heap), shown: shown == .live ? "inuse_space" : "alloc_space"))
    }

    /// What lives, alone: a picture of a moment, which has no duration. Nil: nothing lives.
    package static func encodeLive(
        _ heap: HeapFigures, at date: Date, frames: @escaping (UInt32) -> [UInt64]
    ) -> [UInt8]? {
        let rows = heap.rows.lazy.filter { $0.live.samples > 0 }.map {
            Row(stack: $0.stack, type: $0.type, values: [$0.live.wholeCount, $0.live.wholeBytes])
        }
        guard !rows.isEmpty else { return nil }
        return encode(
            Array(rows), names: ["inuse_objects", "inuse_space"], frames: frames,
            .init(
                unixNanoseconds: UInt64(nanosecondsSince1970: date), nanoseconds: 0, periodType: space,
                period: heap.mean, comments: remarks(heap), shown: "inuse_space"))
    }

    /// What was allocated in a time, alone. Nil: nothing was.
    package static func encodeAllocated(
        _ rows: [AllocationDelta.Row], mean: UInt64, begun: Date, nanoseconds: UInt64,
        frames: @escaping (UInt32) -> [UInt64]
    ) -> [UInt8]? {
        guard !rows.isEmpty else { return nil }
        return encode(
            rows.map { Row(stack: $0.stack, type: $0.type, values: [$0.count, $0.bytes]) },
            names: ["alloc_objects", "alloc_space"], frames: frames,
            .init(
                unixNanoseconds: UInt64(nanosecondsSince1970: begun), nanoseconds: nanoseconds, periodType: space,
                period: mean, comments: ["gameprof: estimated from samples, one for \(mean) bytes on average"],
                shown: "alloc_space"))
    }

    private struct Row {
        var stack: UInt32
        var type: String
        var values: [UInt64]
    }

    /// The second value is that of bytes.
    private static func encode(
        _ rows: [Row], names: [String], frames: @escaping (UInt32) -> [UInt64],
        _ summary: PprofWriter.Summary
    ) -> [UInt8] {
        var writer = PprofWriter()
        for name in names {
            writer.write(PprofWriter.ValueType(name, unit: name.hasSuffix("objects") ? "count" : "bytes"))
        }
        var stacks = ProfileStacks(frames: frames, into: &writer)
        for row in shortened(rows) {
            writer.write(
                sample: stacks.locations(of: row.stack, into: &writer), values: row.values, labels: [("type", row.type)]
            )
        }
        return writer.finish(summary)
    }

    /// The rows with the most bytes, and the sum of the others.
    private static func shortened(_ rows: [Row]) -> [Row] {
        guard rows.count > rowsMost else { return rows }
        let sorted = rows.sorted { $1.values[1] < $0.values[1] }
        var others = Row(stack: 0, type: "(other)", values: rows[0].values.map { _ in 0 })
        for row in sorted.dropFirst(rowsMost) {
            for index in row.values.indices { others.values[index] &+= row.values[index] }
        }
        return sorted.prefix(rowsMost) + [others]
    }

    private static func remarks(_ heap: HeapFigures) -> [String] {
        let live = heap.rows.reduce(SampleSum()) { $0 + $1.live }
        func interval(_ range: ClosedRange<UInt64>) -> String { "\(range.lowerBound) to \(range.upperBound)" }
        return [
            "gameprof: estimated from \(heap.allocated.samples) samples, one for \(heap.mean) bytes on average",
            "live bytes: \(live.wholeBytes), in 95 of 100 cases \(interval(live.bytesInterval))",
            "allocated bytes: \(heap.allocated.wholeBytes), in 95 of 100 cases "
                + interval(heap.allocated.bytesInterval),
        ]
    }
}

extension UInt64 {
    /// 0: before.
    package init(nanosecondsSince1970 date: Date) { self = UInt64(Swift.max(0, date.timeIntervalSince1970 * 1e9)) }
}
