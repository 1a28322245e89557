import Foundation
import GameprofBasics

/// CPU time by stack as a profile of pprof.
package enum CPUProfile {
    /// `period`: nanoseconds of CPU time that a sample stands for. `frames`: the addresses of a stack's instructions, innermost
    /// first.
    package static func encode(
        _ samples: [(stack: UInt32, samples: UInt64)], period: UInt64, begun: Date, nanoseconds: UInt64,
        frames: @escaping (UInt32) -> [UInt64]
    ) -> [UInt8] {
        var writer = PprofWriter()
        let cpu = PprofWriter.ValueType("cpu", unit: "nanoseconds")
        writer.write(PprofWriter.ValueType("samples", unit: "count"))
        writer.write(cpu)
        var stacks = ProfileStacks(frames: frames, into: &writer)
        for (stack, count) in samples {
            writer.write(
                sample: stacks.locations(of: stack, into: &writer), values: [count, count &* period], labels: [])
        }
        return writer.finish(
            .init(
                unixNanoseconds: UInt64(nanosecondsSince1970: begun), nanoseconds: nanoseconds, periodType: cpu,
                period: period, comments: [], shown: "cpu"))
    }
}
