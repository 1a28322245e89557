/// What is kept of all intervals of one name, in ticks.
final class ProbeSeries {
    var durations = DurationHistogram()
    var activity = ActivityTimeline()
    var allocations: UInt64 = 0
    var bytes: UInt64 = 0
    var open: UInt64 = 0
    /// Of these, those that only the thread on which they began may end.
    var openOnThreads: UInt64 = 0
    /// Ends on threads where none had begun.
    var strayEnds: UInt64 = 0

    func add(_ other: ProbeSeries) {
        durations.add(other.durations)
        activity.add(other.activity)
        allocations &+= other.allocations
        bytes &+= other.bytes
        open &+= other.open
        openOnThreads &+= other.openOnThreads
        strayEnds &+= other.strayEnds
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
        /// Of these, in intervals that wait for the screen.
        var paced: UInt64 = 0
        /// Ticks that the thread waited for a processor, also within those intervals.
        var unscheduled: UInt64 = 0
        /// Of the mark that ended it.
        var thread = ThreadID.none
        var allocations: UInt64
        var bytes: UInt64
        var probes: [ProbeNameID: ProbeShare]
        /// Nil: not known.
        var stacks: [StackID: FrameStacks.Entry]?

        /// Ticks without waiting for the screen.
        var unpaced: UInt64 { ticks > paced ? ticks - paced : 0 }
        /// The least that the thread waited for a processor outside of intervals that wait for the screen. Every thread waits now and
        /// then for a moment: less than a tenth of the frame is none.
        var processorWait: UInt64 {
            let wait = unscheduled > paced ? min(unscheduled - paced, unpaced) : 0
            return wait > unpaced / 10 ? wait : 0
        }
        var work: UInt64 { unpaced - processorWait }
        /// Work in no interval.
        var rest: UInt64 {
            let probed = probes.values.reduce(0) { $0 &+ $1.own }
            return ticks > probed ? ticks - probed : 0
        }
    }

    var durations = DurationHistogram()
    /// Durations without waiting for the screen or for a processor.
    private(set) var work = DurationHistogram()
    /// What is usual in a frame: own time of each interval, work in none, allocations.
    private(set) var own: [ProbeNameID: DurationHistogram] = [:]
    private(set) var rest = DurationHistogram()
    private(set) var allocationCounts = DurationHistogram()
    /// Of all frames together.
    private(set) var allocations: UInt64 = 0
    private(set) var bytes: UInt64 = 0
    private(set) var slowest: [Frame] = []
    /// So many frames are kept one by one, the first: an hour of 60 a second.
    static let limit = 1 << 18
    private(set) var all: [ProbeSummary.FrameFigures] = []
    /// Frames whose stacks are known, and these.
    private(set) var stackFrames: UInt64 = 0
    private(set) var stacks = FrameStacks()

    func add(_ frame: Frame) {
        durations.add(frame.ticks)
        work.add(frame.work)
        rest.add(frame.rest)
        allocationCounts.add(frame.allocations)
        for (name, share) in frame.probes { own[name, default: DurationHistogram()].add(share.own) }
        allocations &+= frame.allocations
        bytes &+= frame.bytes
        if let known = frame.stacks {
            stackFrames += 1
            stacks.add(frames: known)
        }
        var frame = frame
        frame.stacks = nil
        frame.number = durations.count
        keep(frame)
        guard all.count < Self.limit else { return }
        all.append(
            ProbeSummary.FrameFigures(
                start: frame.start, length: frame.ticks, work: frame.work, processor: frame.processorWait,
                allocations: frame.allocations, bytes: frame.bytes, thread: frame.thread))
    }

    func add(_ other: FrameSeries) {
        durations.add(other.durations)
        work.add(other.work)
        rest.add(other.rest)
        allocationCounts.add(other.allocationCounts)
        for (name, times) in other.own { own[name, default: DurationHistogram()].add(times) }
        allocations &+= other.allocations
        bytes &+= other.bytes
        stackFrames += other.stackFrames
        stacks.add(frames: other.stacks.entries)
        for frame in other.slowest { keep(frame) }
        all = Array((all + other.all).sorted { $0.start < $1.start }.prefix(Self.limit))
    }

    /// The median of an interval's own time in a frame; frames without it count as none.
    func usual(_ name: ProbeNameID) -> UInt64 {
        guard let times = own[name], 2 * times.count > durations.count else { return 0 }
        let without = Double(durations.count - min(times.count, durations.count))
        return times.percentiles([max(0, Double(durations.count) / 2 - without) / Double(times.count)])[0]
    }

    private func keep(_ frame: Frame) {
        if slowest.count == Self.slowestLimit {
            guard let last = slowest.last, last.unpaced < frame.unpaced else { return }
            slowest.removeLast()
        }
        let place = slowest.firstIndex { $0.unpaced < frame.unpaced } ?? slowest.endIndex
        slowest.insert(frame, at: place)
    }
}

/// How often and how long an interval was open in a frame.
struct ProbeShare {
    private(set) var count: UInt64 = 0
    private(set) var ticks: UInt64 = 0
    /// Without the intervals inside it.
    private(set) var own: UInt64 = 0

    mutating func add(_ ticks: UInt64, own: UInt64) {
        count += 1
        self.ticks &+= ticks
        self.own &+= own
    }
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
