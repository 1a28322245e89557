import Foundation

#if Instrumented
internal import CRecorderInterface
#endif

/// CPU time of this process that its recorder is counting by stack.
package struct RecorderCPU {
    private let begun = Date()
    private let clock = ContinuousClock.now
    /// Nanoseconds of CPU time between two samples of a thread.
    private let period: UInt64

    /// Whether CPU time is sampled in this process.
    package static var isRecorded: Bool {
        #if Instrumented
        return gp_figures_cpu_period() > 0
        #else
        return false
        #endif
    }

    /// From here on.
    package static func begin() -> Collected<RecorderCPU> {
        #if Instrumented
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
        let samples = Self.collect()
        return encode(samples, nanoseconds: elapsed)
    }

    /// What was counted in a time.
    package struct Counted {
        package var begun: Date
        package var ended: Date
        fileprivate var cpu: RecorderCPU
        fileprivate var samples: [(stack: UInt32, samples: UInt64)]
        fileprivate var nanoseconds: UInt64

        /// A profile of pprof; nil: no sample was taken.
        package func pprof() -> [UInt8]? { samples.isEmpty ? nil : cpu.encode(samples, nanoseconds: nanoseconds) }
    }

    /// Ends it. Must be called.
    package func end() -> Counted {
        let samples = Self.collect()
        let nanoseconds = elapsed
        return Counted(
            begun: begun, ended: begun.addingTimeInterval(Double(nanoseconds) / 1e9), cpu: self, samples: samples,
            nanoseconds: nanoseconds)
    }

    private var elapsed: UInt64 { UInt64(max(0, clock.duration(to: .now) / .nanoseconds(1))) }

    private func encode(_ samples: [(stack: UInt32, samples: UInt64)], nanoseconds: UInt64) -> [UInt8] {
        CPUProfile.encode(
            samples, period: period, begun: begun, nanoseconds: nanoseconds, frames: RecorderStacks.frames)
    }

    private static func collect() -> [(stack: UInt32, samples: UInt64)] {
        var samples: [(stack: UInt32, samples: UInt64)] = []
        #if Instrumented
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
