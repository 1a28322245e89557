/// Durations of equal things, in nanoseconds.
public struct Durations: Codable, Hashable, Sendable {
    public var count: UInt64
    public var total: UInt64
    public var min: UInt64
    public var p50: UInt64
    public var p95: UInt64
    public var p99: UInt64
    public var max: UInt64
    /// Percentiles are exact, else within 0.2 %; the other figures are always exact.
    public var exact: Bool

    public init(
        count: UInt64 = 0, total: UInt64 = 0, min: UInt64 = 0, p50: UInt64 = 0, p95: UInt64 = 0, p99: UInt64 = 0,
        max: UInt64 = 0, exact: Bool = true
    ) {
        self.count = count
        self.total = total
        self.min = min
        self.p50 = p50
        self.p95 = p95
        self.p99 = p99
        self.max = max
        self.exact = exact
    }
}
