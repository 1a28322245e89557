import GameprofBasics

/// Collects what probes wrote while the chunks of a trace are walked through, those of each thread in their order.
struct ProbeCollector {
    /// Names and tokens beyond this many are left out: no program has so many.
    private static let nameLimit = 100_000

    private struct Token: Hashable {
        var name: ProbeNameID
        var start: UInt64
    }

    private var names: [ProbeNameID: String] = [:]
    private var clocks: [ClockRecord] = []
    private var threads: [ThreadID: ThreadProbes] = [:]
    private var series: [ProbeNameID: ProbeSeries] = [:]
    private var loops: [ProbeNameID: FrameMarks] = [:]
    private var events: [ProbeNameID: ThinnedSeries<Void>] = [:]
    private var counters: [ProbeNameID: CounterSeries] = [:]
    /// Ends on threads where no interval of the name was open.
    private var strayEnds: [ProbeNameID: UInt64] = [:]
    /// Begun less ended: chunks of two threads are not in the order of time.
    private var tokens: [Token: Int] = [:]

    struct CounterSeries {
        var minimum = Double.infinity
        var maximum = -Double.infinity
        var points = ThinnedSeries<Double>()
        var last: (ticks: UInt64, value: Double) = (0, 0)

        mutating func add(_ other: CounterSeries) {
            minimum = min(minimum, other.minimum)
            maximum = max(maximum, other.maximum)
            points.add(other.points)
            if other.last.ticks >= last.ticks { last = other.last }
        }
    }

    /// The state of a thread; its chunks come in order.
    mutating func thread(_ id: ThreadID) -> ThreadProbes {
        if let known = threads[id] { return known }
        let made = ThreadProbes(id)
        threads[id] = made
        return made
    }

    mutating func note(_ name: ProbeNameRecord) {
        if names.count < Self.nameLimit { names[name.id] = name.name }
    }

    mutating func note(_ clock: ClockRecord) { clocks.append(clock) }

    mutating func note(_ probe: ProbeRecord, on thread: ThreadProbes) {
        switch probe.kind {
        case .begin: thread.begin(probe.name, at: probe.ticks)
        case .interval:
            close(probe.name, from: probe.ticks, lasting: UInt64(probe.length), on: thread)
        case .start: count(Token(name: probe.name, start: probe.ticks), 1)
        case .span: endSpan(probe.name, from: probe.ticks, lasting: UInt64(probe.length))
        case .longSpan: thread.longSpan = (probe.name, probe.ticks)
        case .end: end(probe, on: thread)
        case .event: events[probe.name, default: ThinnedSeries()].add((), at: probe.ticks)
        case .counter: thread.counter = (probe.name, probe.ticks)
        case .frame: frame(probe, on: thread)
        }
    }

    private mutating func count(_ token: Token, _ change: Int) {
        let value = (tokens[token] ?? 0) + change
        if value == 0 {
            tokens[token] = nil
        } else if tokens.count < Self.nameLimit {
            tokens[token] = value
        }
    }

    private mutating func seriesNamed(_ name: ProbeNameID) -> ProbeSeries {
        if let known = series[name] { return known }
        let made = ProbeSeries()
        series[name] = made
        return made
    }

    private mutating func endSpan(_ name: ProbeNameID, from start: UInt64, lasting ticks: UInt64) {
        count(Token(name: name, start: start), -1)
        let series = seriesNamed(name)
        series.durations.add(ticks)
        series.activity.add(from: start, to: start &+ ticks)
    }

    private mutating func end(_ probe: ProbeRecord, on thread: ThreadProbes) {
        if let span = thread.longSpan {
            thread.longSpan = nil
            if span.name == probe.name, span.ticks <= probe.ticks {
                endSpan(span.name, from: span.ticks, lasting: probe.ticks - span.ticks)
            }
            return
        }
        guard let open = thread.end(probe.name) else {
            strayEnds[probe.name, default: 0] += 1
            return
        }
        guard open.start <= probe.ticks else { return }
        let series = close(probe.name, from: open.start, lasting: probe.ticks - open.start, on: thread)
        series.allocations &+= thread.allocations &- open.allocations
        series.bytes &+= thread.bytes &- open.bytes
    }

    @discardableResult
    private mutating func close(
        _ name: ProbeNameID, from start: UInt64, lasting ticks: UInt64, on thread: ThreadProbes
    ) -> ProbeSeries {
        let series = seriesNamed(name)
        series.durations.add(ticks)
        series.activity.add(from: start, to: start &+ ticks)
        if !thread.loops.isEmpty { thread.share(name, from: start, ticks) }
        return series
    }

    /// Takes the value of the counter that the thread named right before.
    mutating func note(value: Double, on thread: ThreadProbes) {
        guard let counter = thread.counter, value.isFinite else { return }
        thread.counter = nil
        var series = counters[counter.name] ?? CounterSeries()
        series.minimum = min(series.minimum, value)
        series.maximum = max(series.maximum, value)
        series.points.add(value, at: counter.ticks)
        if counter.ticks >= series.last.ticks { series.last = (counter.ticks, value) }
        counters[counter.name] = series
    }

    private mutating func frame(_ probe: ProbeRecord, on thread: ThreadProbes) {
        var mark = FrameMarks.Mark(ticks: probe.ticks)
        if let turn = thread.turn(probe.name, at: probe.ticks, unscheduled: UInt64(probe.length)) {
            mark.turn = FrameMarks.Turn(
                start: turn.start, allocations: thread.allocations &- turn.allocations,
                bytes: thread.bytes &- turn.bytes, probes: turn.probes,
                paced: turn.probes.reduce(0) { $0 &+ (isPacing($1.key) ? $1.value.own : 0) },
                unscheduled: turn.unscheduled, thread: thread.id, stacks: turn.stacks.entries)
        }
        loops[probe.name, default: FrameMarks()].add(mark)
    }

    private func isPacing(_ name: ProbeNameID) -> Bool { names[name].map(FramePacing.isWaiting) ?? false }

    /// What was collected, in time.
    mutating func summary() -> ProbeSummary {
        let open = openIntervals()
        var summary = ProbeSummary()
        if series.isEmpty && open.isEmpty && events.isEmpty && counters.isEmpty && loops.isEmpty { return summary }
        guard let clock = ProbeClock(clocks) else {
            summary.problem =
                "The recording ended before the clock of its probes was calibrated, so they are left out."
            return summary
        }
        let times = ProbeTimes(clock: clock, names: names)
        for (name, count) in open { seriesNamed(name).open = count }
        for thread in threads.values {
            for interval in thread.open { seriesNamed(interval.name).openOnThreads += 1 }
        }
        for (name, count) in strayEnds { seriesNamed(name).strayEnds = count }
        summary.intervals = byName(series) { $0.add($1) }.map(times.interval)
            .filter { $0.durations.count > 0 || $0.open > 0 }
            .sorted { ($0.durations.total, $1.name) > ($1.durations.total, $0.name) }
        summary.events = byName(events) { $0.add($1) }.map(times.event)
        summary.counters = byName(counters) { $0.add($1) }.map(times.counter)
        let frames = byName(loops) { $0.add($1) }.map { name, marks in
            var marks = marks
            return (name, marks.frames())
        }
        summary.frames = frames.filter { $0.1.durations.count > 0 }.map(times.frames)
        return summary
    }

    private func openIntervals() -> [ProbeNameID: UInt64] {
        var open: [ProbeNameID: UInt64] = [:]
        for thread in threads.values {
            for interval in thread.open { open[interval.name, default: 0] += 1 }
        }
        for (token, count) in tokens where count > 0 { open[token.name, default: 0] += UInt64(count) }
        return open
    }

    /// Joins what has the same text under several numbers, as a literal of several files has. Sorted by name.
    private func byName<Series>(
        _ series: [ProbeNameID: Series], join: (inout Series, Series) -> Void
    ) -> [(name: String, series: Series)] {
        var joined: [String: Series] = [:]
        for (id, one) in series.sorted(by: { $0.key < $1.key }) {
            let name = names[id] ?? "?"
            if var known = joined[name] {
                join(&known, one)
                joined[name] = known
            } else {
                joined[name] = one
            }
        }
        return joined.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
