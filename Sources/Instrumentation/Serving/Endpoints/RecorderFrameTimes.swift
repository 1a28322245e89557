#if Instrumented
internal import CRecorderInterface
#endif

/// The times of the frames that `Probe.frame()` ends.
enum RecorderFrameTimes {
    static func begin() {
        #if Instrumented
        gp_frame_times_begin()
        #endif
    }

    /// Loop by loop, in the order in which they were first seen.
    static func read() -> [FrameTimes] {
        #if Instrumented
        let most = Int(GP_FRAME_LOOPS_MOST)
        var list = [gp_frame_times](repeating: gp_frame_times(), count: most)
        let count = gp_frame_times_read(&list, most)
        let bounds = withUnsafeBytes(of: gp_frame_time_bounds) { Array($0.bindMemory(to: UInt64.self)) }
        return list.prefix(count).map { one in
            let buckets = withUnsafeBytes(of: one.buckets) { Array($0.bindMemory(to: UInt64.self)) }
            let name = withUnsafeBytes(of: one.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            return FrameTimes(
                loop: name, frames: one.frames, nanoseconds: one.nanoseconds,
                buckets: zip(bounds, buckets).map { (bound: $0, frames: $1) })
        }
        #else
        return []
        #endif
    }
}
