import GameprofBasics

/// All allocations of one type.
public struct TypeAllocations: Sendable {
    /// None: memory that is not a Swift object, or whose type was never seen because the block still lived when
    /// recording ended without a heap snapshot.
    public var type: TypeID
    public var counts: AllocationCounts
}

/// All allocations of one stack.
public struct StackAllocations: Sendable {
    public var stack: StackID
    /// The type that most blocks of the stack had; none: not Swift objects, or not known.
    public var type: TypeID
    public var counts: AllocationCounts
    /// Allocations and frees of the recording, but those of jobs, until the stack's first and its last block that was not
    /// temporary; 0: it has none.
    public var firstEvent: UInt64 = 0
    public var lastEvent: UInt64 = 0
    /// Frees alone until then.
    public var firstFrees: UInt64 = 0
    public var lastFrees: UInt64 = 0
    /// Nanoseconds until that last block.
    public var lastTime: UInt64 = 0
}

/// Blocks of one stack that accumulate over the whole run.
public struct StackGrowth: Hashable, Sendable {
    public var stack: StackID
    /// The type that most blocks of the stack had.
    public var type: TypeID
    /// Blocks that were added after the warm-up.
    public var count: Int
    public var bytes: UInt64
}

/// A point of the memory timeline.
public struct TimelinePoint: Hashable, Sendable {
    /// Nanoseconds since recording began.
    public var time: UInt64
    /// Highest live bytes since the point before this one.
    public var liveBytes: UInt64
    /// Live blocks at the moment of `liveBytes`.
    public var liveCount: UInt64
    /// Allocations since recording began.
    public var allocations: UInt64
}

/// Every allocation of a recording, counted, or estimated from samples.
public struct AllocationSummary: Sendable {
    /// Mean bytes between two samples; nil: every allocation was recorded, and all counts are exact.
    public var sampleMean: UInt64?
    public var totals = AllocationCounts()
    /// When `totals.peakBytes` was reached, in nanoseconds since recording began.
    public var peakTime: UInt64 = 0
    /// Most bytes first.
    public var byType: [TypeAllocations] = []
    /// Most bytes first.
    public var byStack: [StackAllocations] = []
    /// In order of time; at most 1,024 points, the peak among them.
    public var timeline: [TimelinePoint] = []
    /// What lived at the moments that were asked for, in order of time.
    public var levels: [AllocationLevel] = []
    /// What each stack allocated in each part of the recording.
    public var moments = AllocationMoments(span: 0)
    /// What each stack kept at the end of each part of the recording.
    public var liveCurves = LiveCurves()
    /// Stacks whose blocks accumulate over the whole run; most bytes first.
    public var growth: [StackGrowth] = []
    /// Allocations and frees of the recording until its last allocation.
    public var lastAllocation: UInt64 = 0

    /// What the live bytes of a point may be where they are an estimate: nil: they are exact.
    public func interval(of point: TimelinePoint) -> ClosedRange<UInt64>? {
        sampleMean.map {
            SampledCounter(mean: $0, live: []).levelFigure(of: point.liveBytes).interval(of: point.liveBytes)
        }
    }
}
