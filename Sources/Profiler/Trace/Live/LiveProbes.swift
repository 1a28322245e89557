import GameprofBasics

/// Counts what probes write while the program runs. Memory does not grow with the number of probes. For one thread at a time.
package final class LiveProbes {
    /// All intervals of a name. Times in nanoseconds.
    package struct Interval: Sendable {
        package var count: UInt64 = 0
        package var total: UInt64 = 0
        package var longest: UInt64 = 0
    }

    /// The frames of a loop, in nanoseconds.
    package struct Loop: Sendable {
        package fileprivate(set) var lengths = DurationHistogram()
        /// Without what they waited for the screen.
        package fileprivate(set) var took = DurationHistogram()
        fileprivate var last: UInt64?
    }

    /// A frame that ended.
    struct Frame {
        var loop: String
        /// Nanoseconds: when it ended, since the recording began, and how long it took.
        var end: UInt64
        var took: UInt64
    }

    private struct Mark {
        var loop: ProbeNameID
        var ticks: UInt64
        /// Ticks of the thread's mark before; nil: this one is the first.
        var start: UInt64?
        /// Ticks since then in intervals that wait for the screen.
        var paced: UInt64
    }

    /// What a thread is in the middle of.
    private final class ThreadState {
        var open: [(name: ProbeNameID, ticks: UInt64)] = []
        var longSpan: (name: ProbeNameID, ticks: UInt64)?
        var counter: ProbeNameID?
        /// Ticks in intervals that wait for the screen, and how many those were at the last mark of a loop.
        var paced: UInt64 = 0
        var marks: [ProbeNameID: (ticks: UInt64, paced: UInt64)] = [:]
    }

    private static let (depthLimit, nameLimit, threadLimit, clockLimit) = (256, 1_000, 4_096, 64)
    private static let loopLimit = 8
    /// Marks of another thread may still come for so long.
    private static let patience: UInt64 = 100_000_000

    package private(set) var loops: [String: Loop] = [:]
    package private(set) var counters: [String: Double] = [:]
    /// In ticks.
    private var intervals: [ProbeNameID: Interval] = [:]
    private var names: [ProbeNameID: String] = [:]
    private var threads: [ThreadID: ThreadState] = [:]
    private var marks: [Mark] = []
    private var clocks: [ClockRecord] = []
    private var clock: ProbeClock?

    init() {}

    func note(_ name: ProbeNameRecord) {
        if names.count < Self.nameLimit { names[name.id] = name.name }
    }

    func note(_ record: ClockRecord) {
        // The first and the latest ones: what lies between them tells nothing more of the future.
        if clocks.count >= Self.clockLimit { clocks.remove(at: 1) }
        clocks.append(record)
        clock = nil
    }

    func end(_ thread: ThreadID) { threads[thread] = nil }

    func note(_ probe: ProbeRecord, on thread: ThreadID) {
        guard let state = state(of: thread) else { return }
        switch probe.kind {
        case .begin: if state.open.count < Self.depthLimit { state.open.append((probe.name, probe.ticks)) }
        case .interval: add(probe.name, UInt64(probe.length), to: state)
        case .span: add(probe.name, UInt64(probe.length))
        case .longSpan: state.longSpan = (probe.name, probe.ticks)
        case .end: end(probe, state)
        case .event: add(probe.name, 0)
        case .counter: state.counter = probe.name
        case .frame:
            let before = state.marks[probe.name]
            marks.append(
                Mark(
                    loop: probe.name, ticks: probe.ticks, start: before?.ticks,
                    paced: state.paced &- (before?.paced ?? state.paced)))
            state.marks[probe.name] = (probe.ticks, state.paced)
        case .start: break
        }
    }

    /// Nil: there are too many threads.
    private func state(of thread: ThreadID) -> ThreadState? {
        if let known = threads[thread] { return known }
        guard threads.count < Self.threadLimit else { return nil }
        let made = ThreadState()
        threads[thread] = made
        return made
    }

    func note(value: Double, on thread: ThreadID) {
        guard value.isFinite, let counter = threads[thread]?.counter, let name = names[counter],
            counters[name] != nil || counters.count < Self.nameLimit
        else { return }
        counters[name] = value
    }

    private func end(_ probe: ProbeRecord, _ state: ThreadState) {
        if let span = state.longSpan {
            state.longSpan = nil
            if span.name == probe.name, span.ticks <= probe.ticks { add(span.name, probe.ticks - span.ticks) }
            return
        }
        guard let place = state.open.lastIndex(where: { $0.name == probe.name }) else { return }
        let start = state.open.remove(at: place).ticks
        if start <= probe.ticks { add(probe.name, probe.ticks - start, to: state) }
    }

    private func add(_ name: ProbeNameID, _ ticks: UInt64, to state: ThreadState) {
        add(name, ticks)
        if names[name].map(FramePacing.isWaiting) ?? false { state.paced &+= ticks }
    }

    private func add(_ name: ProbeNameID, _ ticks: UInt64) {
        guard var interval = intervals[name] ?? (intervals.count < Self.nameLimit ? Interval() : nil) else { return }
        interval.count += 1
        interval.total &+= ticks
        interval.longest = max(interval.longest, ticks)
        intervals[name] = interval
    }

    /// The frames that have ended and that no late mark can divide any more, at the end of a look.
    func frames() -> [Frame] {
        guard !marks.isEmpty, let clock = knownClock() else { return [] }
        marks.sort { $0.ticks < $1.ticks }
        let newest = clock.seconds(at: marks[marks.count - 1].ticks) - Double(Self.patience) / 1e9
        let settled = marks.prefix { clock.seconds(at: $0.ticks) <= newest }
        var frames: [Frame] = []
        for mark in settled {
            let name = names[mark.loop] ?? "?"
            guard loops[name] != nil || loops.count < Self.loopLimit else { continue }
            var loop = loops[name] ?? Loop()
            if let last = loop.last, last <= mark.ticks {
                let length = clock.nanoseconds(mark.ticks - last)
                // What the thread did before the loop came to it is not the frame's.
                let paced = mark.start == last ? clock.nanoseconds(mark.paced) : 0
                let took = length > paced ? length - paced : 0
                loop.lengths.add(length)
                loop.took.add(took)
                let end = UInt64(min(clock.seconds(at: mark.ticks), 1e9) * 1e9)
                frames.append(Frame(loop: name, end: end, took: took))
            }
            loop.last = max(loop.last ?? 0, mark.ticks)
            loops[name] = loop
        }
        marks.removeFirst(settled.count)
        return frames
    }

    /// Intervals and events by name; an event is an interval of no length. Empty until the clock of probes is known.
    package func intervalsByName() -> [String: Interval] {
        guard let clock = knownClock() else { return [:] }
        var result: [String: Interval] = [:]
        for (id, ticks) in intervals {
            var interval = result[names[id] ?? "?"] ?? Interval()
            interval.count += ticks.count
            interval.total &+= clock.nanoseconds(ticks.total)
            interval.longest = max(interval.longest, clock.nanoseconds(ticks.longest))
            result[names[id] ?? "?"] = interval
        }
        return result
    }

    private func knownClock() -> ProbeClock? {
        if clock == nil { clock = ProbeClock(clocks) }
        return clock
    }
}
