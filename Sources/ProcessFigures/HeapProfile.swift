import Foundation
import Pprof

/// The sampled blocks as a profile of pprof: allocated and live, count and bytes, by stack and type.
package enum HeapProfile {
    /// What readers show first.
    package enum Shown { case live, allocated }

    /// Rows of a profile; what is smaller is one row.
    static let rowsMost = 16384

    private static let names = ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"]

    /// `frames`: the addresses of a stack's instructions, innermost first.
    package static func encode(
        _ heap: HeapFigures, shown: Shown, frames: @escaping (UInt32) -> [UInt64]
    ) -> [UInt8] {
        var writer = PprofWriter()
        for name in names {
            writer.write(PprofWriter.ValueType(name, unit: name.hasSuffix("objects") ? "count" : "bytes"))
        }
        var stacks = ProfileStacks(frames: frames, into: &writer)
        for row in shortened(heap.rows) {
            let all = row.live + row.freed
            writer.write(
                sample: stacks.locations(of: row.stack, into: &writer),
                values: [all.wholeCount, all.wholeBytes, row.live.wholeCount, row.live.wholeBytes],
                labels: [("type", row.type)])
        }
        return writer.finish(
            .init(
                unixNanoseconds: UInt64(max(0, Date().timeIntervalSince1970 * 1e9)), nanoseconds: 0,
                periodType: .init("space", unit: "bytes"), period: heap.mean, comments: remarks(heap),
                shown: shown == .live ? "inuse_space" : "alloc_space"))
    }

    /// The rows with the most bytes, and the sum of the others.
    private static func shortened(_ rows: [HeapFigures.Row]) -> [HeapFigures.Row] {
        guard rows.count > rowsMost else { return rows }
        let sorted = rows.sorted { $1.live.bytes + $1.freed.bytes < $0.live.bytes + $0.freed.bytes }
        var others = HeapFigures.Row(stack: 0, type: "(other)")
        for row in sorted.dropFirst(rowsMost) {
            others.live += row.live
            others.freed += row.freed
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
