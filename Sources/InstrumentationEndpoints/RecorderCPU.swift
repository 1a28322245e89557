import Foundation
import ProcessFigures

#if Recording
internal import CCapture
#endif

/// CPU time of this process that its recorder is counting by stack.
struct RecorderCPU {
    private let begun = Date()
    private let clock = ContinuousClock.now
    /// Nanoseconds of CPU time between two samples of a thread.
    private let period: UInt64

    /// From here on.
    static func begin() -> Collected<RecorderCPU> {
        #if Recording
        let period = gp_figures_cpu_period()
        guard period > 0 else { return .notRecorded }
        return gp_figures_cpu_begin() ? .figures(RecorderCPU(period: period)) : .busy
        #else
        return .notRecorded
        #endif
    }

    private init(period: UInt64) { self.period = period }

    /// Ends it and returns the profile of pprof. Must be called.
    func finish() -> [UInt8] {
        let elapsed = clock.duration(to: .now) / .nanoseconds(1)
        return CPUProfile.encode(
            Self.collect(), period: period, begun: begun, nanoseconds: UInt64(max(0, elapsed)),
            frames: RecorderStacks.frames)
    }

    private static func collect() -> [(stack: UInt32, samples: UInt64)] {
        var samples: [(stack: UInt32, samples: UInt64)] = []
        #if Recording
        withUnsafeMutablePointer(to: &samples) {
            gp_figures_cpu_end(
                { stack, count, context in
                    context?.assumingMemoryBound(to: [(stack: UInt32, samples: UInt64)].self).pointee
                        .append((stack: stack, samples: count))
                }, $0)
        }
        #endif
        return samples
    }
}
