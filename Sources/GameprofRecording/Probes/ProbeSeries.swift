import GameprofTraceFile

/// What is kept of all intervals of one name, in ticks.
final class ProbeSeries {
    var durations = DurationHistogram()
    var activity = ActivityTimeline()
    var allocations: UInt64 = 0
    var bytes: UInt64 = 0
    var open: UInt64 = 0

    func add(_ other: ProbeSeries) {
        durations.add(other.durations)
        activity.add(other.activity)
        allocations &+= other.allocations
        bytes &+= other.bytes
        open &+= other.open
    }
}

/// What is kept of all frames of one loop, in ticks.
final class FrameSeries {
    /// So many of the slowest frames are kept.
    static let slowestLimit = 20

    struct Frame {
        var number: UInt64
        var start: UInt64
        var ticks: UInt64
        var allocations: UInt64
        var bytes: UInt64
        var probes: [ProbeNameID: ProbeShare]
    }

    var durations = DurationHistogram()
    /// Of all frames together.
    private(set) var allocations: UInt64 = 0
    private(set) var bytes: UInt64 = 0
    private(set) var slowest: [Frame] = []

    func add(_ frame: Frame) {
        durations.add(frame.ticks)
        allocations &+= frame.allocations
        bytes &+= frame.bytes
        var frame = frame
        frame.number = durations.count
        keep(frame)
    }

    func add(_ other: FrameSeries) {
        durations.add(other.durations)
        allocations &+= other.allocations
        bytes &+= other.bytes
        for frame in other.slowest { keep(frame) }
    }

    private func keep(_ frame: Frame) {
        if slowest.count == Self.slowestLimit {
            guard let last = slowest.last, last.ticks < frame.ticks else { return }
            slowest.removeLast()
        }
        let place = slowest.firstIndex { $0.ticks < frame.ticks } ?? slowest.endIndex
        slowest.insert(frame, at: place)
    }
}

/// How often and how long an interval was open in a frame.
struct ProbeShare {
    var count: UInt64 = 0
    var ticks: UInt64 = 0
}

/// Samples of a series, thinned evenly once there are too many.
struct ThinnedSeries<Value> {
    static var limit: Int { 1024 }

    private(set) var count: UInt64 = 0
    private(set) var kept: [(ticks: UInt64, value: Value)] = []
    private var stride: UInt64 = 1

    /// Adds the samples of another.
    mutating func add(_ other: ThinnedSeries) {
        count += other.count
        kept = (kept + other.kept).sorted { $0.ticks < $1.ticks }
        while kept.count >= Self.limit { thin() }
    }

    mutating func add(_ value: Value, at ticks: UInt64) {
        if count % stride == 0 { kept.append((ticks, value)) }
        count += 1
        if kept.count >= Self.limit { thin() }
    }

    private mutating func thin() {
        kept = kept.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        stride *= 2
    }
}
