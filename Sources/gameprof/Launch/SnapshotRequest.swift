/// When to take heap snapshots before the end.
struct SnapshotRequest {
    var milliseconds: UInt64?
    /// The signal to gameprof that asks for one.
    var signal: Int32?
    /// Whenever live bytes have grown by a quarter.
    var isAtPeak = false
    /// When the program gets a memory warning, after recording began.
    var warningMilliseconds: UInt64?
}
