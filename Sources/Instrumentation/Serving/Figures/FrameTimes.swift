/// The times of the frames of a loop.
package struct FrameTimes {
    package var loop: String
    package var frames: UInt64
    package var nanoseconds: UInt64
    /// Frames up to a bound in nanoseconds and longer than the bound before; bounds ascend.
    package var buckets: [(bound: UInt64, frames: UInt64)]

    package init(loop: String, frames: UInt64, nanoseconds: UInt64, buckets: [(bound: UInt64, frames: UInt64)]) {
        (self.loop, self.frames, self.nanoseconds, self.buckets) = (loop, frames, nanoseconds, buckets)
    }
}
