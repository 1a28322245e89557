/// The frames of one loop. It may go on with another thread after each turn: what ends a frame is the next mark in the order
/// of time, whichever thread it is of. The chunks of the threads are not in that order, so marks are collected first.
struct FrameMarks {
    /// So many are sorted at once. Marks that come later in the trace than as many others keep their place there.
    static let limit = 1 << 20
    /// So many stacks of frames are kept until they are sorted; those of later frames are not.
    static let stackLimit = 1 << 20

    /// What a thread did between two marks of its own.
    struct Turn {
        var start: UInt64
        var allocations: UInt64
        var bytes: UInt64
        var probes: [ProbeNameID: ProbeShare]
        /// Ticks in intervals that wait for the screen.
        var paced: UInt64 = 0
        /// Ticks that it waited for a processor.
        var unscheduled: UInt64 = 0
        var thread = ThreadID.none
        /// Nil: not kept.
        var stacks: [StackID: FrameStacks.Entry]?
    }

    struct Mark {
        var ticks: UInt64
        /// Nil: it is the first of its thread.
        var turn: Turn?
    }

    private var marks: [Mark] = []
    private var last: UInt64?
    private var stacks = 0
    private let series = FrameSeries()

    mutating func add(_ mark: Mark) {
        marks.append(mark)
        stacks += mark.turn?.stacks?.count ?? 0
        if stacks > Self.stackLimit { marks[marks.count - 1].turn?.stacks = nil }
        if marks.count >= Self.limit { take(marks.count / 2) }
    }

    /// Marks of the same loop under another number of its name.
    mutating func add(_ other: FrameMarks) {
        series.add(other.series)
        for mark in other.marks { add(mark) }
    }

    /// The frames of all marks.
    mutating func frames() -> FrameSeries {
        take(marks.count)
        return series
    }

    /// Makes frames of the earliest marks.
    private mutating func take(_ count: Int) {
        marks.sort { $0.ticks < $1.ticks }
        for mark in marks.prefix(count) {
            defer { last = mark.ticks }
            guard let start = last, start <= mark.ticks else { continue }
            // What a thread did before the loop came to it is not the frame's.
            let turn = mark.turn.flatMap { $0.start == start ? $0 : nil }
            series.add(
                FrameSeries.Frame(
                    number: 0, start: start, ticks: mark.ticks - start, paced: turn?.paced ?? 0,
                    unscheduled: turn?.unscheduled ?? 0, thread: turn?.thread ?? .none,
                    allocations: turn?.allocations ?? 0,
                    bytes: turn?.bytes ?? 0, probes: turn?.probes ?? [:], stacks: turn?.stacks))
        }
        marks.removeFirst(count)
    }
}
