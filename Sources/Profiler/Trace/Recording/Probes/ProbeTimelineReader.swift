/// Collects the probes of a trace one by one; `ProbeCollector` only counts them.
struct ProbeTimelineReader {
    private static let limit = 1 << 20

    private struct Part {
        var kind: ProbeTimeline.Interval.Kind
        var name: ProbeNameID
        var thread: ThreadID
        var start: UInt64
        var end: UInt64
    }

    private struct Point {
        var name: ProbeNameID
        var thread: ThreadID
        var ticks: UInt64
        var value = 0.0
    }

    private var names: [ProbeNameID: String] = [:]
    private var clocks: [ClockRecord] = []
    private var threads: [ThreadID: ThreadProbes] = [:]
    private var parts: [Part] = []
    private var frames: [Point] = []
    private var events: [Point] = []
    private var values: [Point] = []
    private var marks: [MarkRecord] = []
    private var omitted: UInt64 = 0

    mutating func read(_ reader: TraceReader) throws -> ProbeTimeline {
        try reader.forEachChunk { read($1, reader) }
        return timeline()
    }

    private mutating func read(_ chunk: Chunk, _ reader: TraceReader) {
        var cursor = RecordCursor(chunk)
        var thread = chunk.thread
        while true {
            cursor.skipBlockEvents()
            guard let bytes = cursor.next() else { return }
            switch reader.record(bytes) {
            case .thread(let next): thread = next
            case .probe(.event(let probe)): note(probe, on: thread)
            case .probe(.value(let value)): note(value: value, on: thread)
            case .probe(.name(let record)): note(record)
            case .probe(.clock(let record)): note(record)
            case .probe(.mark(let record)):
                if marks.count < Self.limit { marks.append(record) }
            default: continue
            }
        }
    }

    mutating func note(_ name: ProbeNameRecord) {
        if names.count < Self.limit { names[name.id] = name.name }
    }

    mutating func note(_ clock: ClockRecord) { clocks.append(clock) }

    /// Takes the value of the counter that the thread named right before.
    mutating func note(value: Double, on thread: ThreadID) {
        let state = state(of: thread)
        guard let counter = state.counter, value.isFinite else { return }
        state.counter = nil
        keep(Point(name: counter.name, thread: thread, ticks: counter.ticks, value: value), in: \.values)
    }

    private mutating func state(of thread: ThreadID) -> ThreadProbes {
        if let known = threads[thread] { return known }
        let made = ThreadProbes()
        threads[thread] = made
        return made
    }

    private var count: Int { parts.count + frames.count + events.count + values.count }

    private mutating func keep<Entry>(_ entry: Entry, in list: WritableKeyPath<Self, [Entry]>) {
        if count < Self.limit { self[keyPath: list].append(entry) } else { omitted += 1 }
    }

    mutating func note(_ probe: ProbeRecord, on thread: ThreadID) {
        let state = state(of: thread)
        switch probe.kind {
        case .begin: state.begin(probe.name, at: probe.ticks)
        case .end:
            if let span = state.longSpan {
                state.longSpan = nil
                guard span.name == probe.name else { return }
                keep(.span, probe.name, thread, from: span.ticks, to: probe.ticks)
            } else if let open = state.end(probe.name) {
                keep(.interval, probe.name, thread, from: open.start, to: probe.ticks)
            }
        case .interval: keep(.interval, probe.name, thread, from: probe.ticks, to: probe.ticks &+ UInt64(probe.length))
        case .span: keep(.span, probe.name, thread, from: probe.ticks, to: probe.ticks &+ UInt64(probe.length))
        case .longSpan: state.longSpan = (probe.name, probe.ticks)
        case .start: break
        case .counter: state.counter = (probe.name, probe.ticks)
        case .event: keep(Point(name: probe.name, thread: thread, ticks: probe.ticks), in: \.events)
        case .frame: keep(Point(name: probe.name, thread: thread, ticks: probe.ticks), in: \.frames)
        }
    }

    private mutating func keep(
        _ kind: ProbeTimeline.Interval.Kind, _ name: ProbeNameID, _ thread: ThreadID, from start: UInt64, to end: UInt64
    ) {
        guard start <= end else { return }
        keep(Part(kind: kind, name: name, thread: thread, start: start, end: end), in: \.parts)
    }

    /// What was collected, in time.
    func timeline() -> ProbeTimeline {
        var result = ProbeTimeline()
        result.omitted = omitted
        result.marks = marks.sorted { $0.time < $1.time }.map {
            ProbeTimeline.Moment(name: $0.name, thread: .none, time: $0.time)
        }
        guard let clock = ProbeClock(clocks) else { return result }
        func name(_ id: ProbeNameID) -> String { names[id] ?? "?" }
        func time(_ ticks: UInt64) -> UInt64 { UInt64(min(clock.seconds(at: ticks), 1e9) * 1e9) }
        result.intervals = parts.map {
            ProbeTimeline.Interval(
                kind: $0.kind, name: name($0.name), thread: $0.thread, start: time($0.start), end: time($0.end))
        }
        for (loop, marks) in Dictionary(grouping: frames, by: { name($0.name) }) {
            let marks = marks.sorted { $0.ticks < $1.ticks }
            result.intervals += zip(marks, marks.dropFirst()).map { start, end in
                ProbeTimeline.Interval(
                    kind: .frame, name: loop, thread: end.thread, start: time(start.ticks), end: time(end.ticks))
            }
        }
        result.intervals.sort { ($0.start, $1.end, $0.name) < ($1.start, $0.end, $1.name) }
        result.events = events.map {
            ProbeTimeline.Moment(name: name($0.name), thread: $0.thread, time: time($0.ticks))
        }
        .sorted { ($0.time, $0.name) < ($1.time, $1.name) }
        result.values = values.map { ProbeTimeline.Value(name: name($0.name), time: time($0.ticks), value: $0.value) }
            .sorted { ($0.time, $0.name) < ($1.time, $1.name) }
        return result
    }
}
