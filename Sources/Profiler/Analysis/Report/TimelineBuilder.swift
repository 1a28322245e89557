import GameprofBasics
import GameprofTrace

/// Makes the timeline of a report: what each thread did by its samples, and the intervals of the program below it.
struct TimelineBuilder {
    private static let trackLimit = 40
    private static let workLimit = 8
    private static let depthLimit = 16
    private static let nameLength = 120

    private typealias Span = Report.Timeline.Span

    private let recording: Recording
    private let profile: Profile?
    private var timeline = Report.Timeline()
    private var numbers: [Report.Timeline.Doing: Int] = [:]

    /// Linear in samples and intervals. `profile`: of the same run; nil: time was not recorded.
    static func timeline(of recording: Recording, profile: Profile?) -> Report.Timeline {
        var builder = TimelineBuilder(recording: recording, profile: profile)
        builder.build()
        return builder.timeline
    }

    private init(recording: Recording, profile: Profile?) {
        (self.recording, self.profile) = (recording, profile)
    }

    private mutating func build() {
        let intervals = Dictionary(
            grouping: recording.probeTimeline.intervals.filter { $0.kind == .interval }, by: \.thread)
        let states = withUnscheduled(states())
        let sampled = profile?.threads.map(\.id) ?? []
        let threads = (sampled + Set(intervals.keys).subtracting(sampled).sorted())
            .filter { states[$0] != nil || intervals[$0] != nil }
        let main = ThreadID(UInt32(clamping: recording.program?.pid ?? 0))
        var places: [ThreadID: Int] = [:]
        for id in (threads.filter { $0 == main } + threads.filter { $0 != main }).prefix(Self.trackLimit) {
            places[id] = timeline.tracks.count
            let rows = [states[id] ?? []] + nested(intervals[id] ?? [])
            timeline.tracks.append(.init(kind: .thread, name: name(of: id), rows: rows))
        }
        addWork()
        addSpans()
        timeline.waitPeriod = profile?.waitPeriod ?? 0
        timeline.omitted = recording.probeTimeline.omitted
        timeline.loops = recording.probes.frames.filter { !$0.all.isEmpty }.map { loop in
            .init(
                name: String(loop.name.prefix(Self.nameLength)),
                frames: loop.all.map { frame in
                    .init(
                        start: frame.start, length: frame.length, work: frame.work, processor: frame.processor,
                        allocations: frame.allocations, bytes: frame.bytes, track: places[frame.thread])
                }, budget: FrameBudget.nanoseconds(loop.all.map(\.length)))
        }
    }

    private func name(of thread: ThreadID) -> String {
        if let known = profile?.threads.first(where: { $0.id == thread }) { return known.name }
        if UInt64(thread.rawValue) == recording.program?.pid { return "main" }
        return recording.threadNames[thread].map(ThreadNames.readable) ?? "thread \(thread)"
    }

    private mutating func number(_ doing: Report.Timeline.Doing) -> Int {
        if let known = numbers[doing] { return known }
        timeline.doings.append(doing)
        numbers[doing] = timeline.doings.count - 1
        return timeline.doings.count - 1
    }

    // MARK: - Samples

    private struct Doing: Hashable {
        var node: Profile.NodeID
        var kind: SampleRecord.Kind
        var holder: LockHolders.Holder?
    }

    private func doing(_ key: Doing, _ profile: Profile) -> Report.Timeline.Doing {
        let (name, reason) = WaitSectionBuilder.doing(at: key.node, profile)
        let holder = reason == "lock" ? key.holder : nil
        return .init(
            name: String(name.prefix(Self.nameLength)), waitsFor: key.kind == .waiting ? reason : nil,
            holder: holder.map { String($0.function.prefix(Self.nameLength)) }, holderThread: holder?.thread)
    }

    private mutating func states() -> [ThreadID: [Span]] {
        guard let profile else { return [:] }
        let holders = LockHolders(profile)
        var known: [Doing: Int] = [:]
        var rows = [[Span]](repeating: [], count: profile.threads.count)
        for sample in profile.samples {
            let holder = holders.held(sample).max { ($0.value, $1.key.text) < ($1.value, $0.key.text) }?.key
            let key = Doing(node: sample.node, kind: sample.kind, holder: holder)
            let number = known[key] ?? self.number(doing(key, profile))
            known[key] = number
            Self.add(sample, number, to: &rows[sample.thread])
        }
        return Dictionary(zip(profile.threads.map(\.id), rows).filter { !$0.1.isEmpty }) { first, _ in first }
    }

    /// Equal ones in a row are one. A sample of a computing thread stands for the time before it, one of a waiting thread for the time
    /// around it.
    private static func add(_ sample: Profile.Sample, _ doing: Int, to row: inout [Span]) {
        let each = sample.weight / UInt64(max(sample.count, 1))
        let kind: Span.Kind = sample.kind == .waiting ? .waiting : .computing
        let before = kind == .waiting ? each / 2 : each
        var start = sample.time - min(sample.time, before)
        let end = sample.end &+ (each - before)
        if kind == .computing, let last = row.last, last.kind == .waiting, last.end > start {
            row[row.count - 1].end = max(start, last.start)
        }
        start = max(row.last?.end ?? 0, start)
        guard end > start else { return }
        if let last = row.last, last.doing == doing, last.kind == kind, start - last.end <= each {
            row[row.count - 1].end = end
        } else {
            row.append(Span(start: start, end: end, doing: doing, kind: kind))
        }
    }

    // MARK: - Waits for a processor

    /// A part of the run in which a thread was ready without a processor for so long.
    struct Unscheduled {
        /// It may have begun so early.
        var earliest: UInt64
        /// From here on it did not run for longer than the rest.
        var from: UInt64
        var to: UInt64
        var nanoseconds: UInt64
    }

    private static let leastUnscheduled: UInt64 = 100_000

    /// By the looks at threads; where there were none, the threads of game loops have them by their frames.
    private func unscheduled() -> [ThreadID: [Unscheduled]] {
        let period = recording.sampling?.waitPeriod ?? 0
        var waits = recording.unscheduled.mapValues { records in
            records.map { record in
                let length = UInt64(record.microseconds) * 1_000
                return Unscheduled(
                    earliest: record.time - min(record.time, length + period),
                    from: record.time - min(record.time, max(length, period)), to: record.time, nanoseconds: length)
            }
        }
        for loop in recording.probes.frames {
            for frame in loop.all where recording.unscheduled[frame.thread] == nil {
                guard frame.processor >= Self.leastUnscheduled else { continue }
                waits[frame.thread, default: []].append(
                    .init(
                        earliest: frame.start, from: frame.start, to: frame.start &+ frame.length,
                        nanoseconds: frame.processor))
            }
        }
        return waits
    }

    private mutating func withUnscheduled(_ states: [ThreadID: [Span]]) -> [ThreadID: [Span]] {
        let waits = unscheduled()
        guard !states.isEmpty, !waits.isEmpty else { return states }
        let doing = number(.init(name: "", waitsFor: "processor"))
        var states = states
        for (thread, row) in states { states[thread] = Self.fill(row, waits[thread] ?? [], doing: doing) }
        return states
    }

    /// A thread cannot be looked at while it waits for a processor: the waits lie where the samples leave room, the earliest
    /// first, up to what it computed next. Equal samples in a row are one span, also where the thread was interrupted: what
    /// has no room is taken from these.
    static func fill(
        _ row: [Report.Timeline.Span], _ waits: [Unscheduled], doing: Int
    ) -> [Report.Timeline.Span] {
        var (row, made) = (row, [Span]())
        func add(_ start: UInt64, _ length: UInt64) {
            if let last = made.last, last.end == start {
                made[made.count - 1].end += length
            } else {
                made.append(Span(start: start, end: start + length, doing: doing, kind: .ready))
            }
        }
        for wait in waits.sorted(by: { $0.to < $1.to }) {
            var left = wait.nanoseconds
            var at = max(wait.earliest, made.last?.end ?? 0)
            var next = partition(0..<row.count) { row[$0].end > at }
            while left > 0, at < wait.to {
                let following = next < row.count && row[next].start < wait.to ? row[next] : nil
                let end = following?.start ?? wait.to
                if end > at, end - at >= leastUnscheduled {
                    let length = min(left, end - at)
                    add(following?.kind == .computing ? end - length : at, length)
                    left -= length
                }
                guard let following else { break }
                at = max(at, following.end)
                next += 1
            }
            at = max(wait.from, made.last?.end ?? 0)
            next = partition(0..<row.count) { row[$0].end > at }
            while left >= leastUnscheduled, next < row.count, row[next].start < wait.to {
                let span = row[next]
                let start = max(at, span.start)
                next += 1
                guard span.kind == .computing, start < min(span.end, wait.to) else { continue }
                let length = min(left, min(span.end, wait.to) - start)
                let parts = [(span.start, start), (start + length, span.end)].filter { $0.0 < $0.1 }.map {
                    Span(start: $0.0, end: $0.1, doing: span.doing, kind: .computing)
                }
                row.replaceSubrange(next - 1..<next, with: parts)
                next += parts.count - 1
                add(start, length)
                left -= length
            }
        }
        return (row + made).sorted { $0.start < $1.start }
    }

    /// Where queues and tasks computed, the busiest first.
    private mutating func addWork() {
        guard let profile else { return }
        var rows = [[Span]](repeating: [], count: profile.works.count)
        var weights = [UInt64](repeating: 0, count: profile.works.count)
        for sample in profile.samples where sample.kind == .computing {
            guard let work = sample.work else { continue }
            weights[work] &+= sample.weight
            let doing = number(doing(Doing(node: sample.node, kind: .computing, holder: nil), profile))
            Self.add(sample, doing, to: &rows[work])
        }
        let used = weights.indices.filter { weights[$0] > 0 && !HotspotSectionBuilder.isPool(profile.works[$0]) }
            .sorted { (weights[$1], profile.works[$0].name) < (weights[$0], profile.works[$1].name) }
        for index in used.prefix(Self.workLimit) {
            let work = profile.works[index]
            timeline.tracks.append(
                .init(
                    kind: .work, name: "\(work.kind == .task ? "task" : "queue") \(work.name.prefix(Self.nameLength))",
                    rows: [rows[index]]))
        }
    }

    // MARK: - Probes

    /// Rows by depth: each interval below those that are open when it begins.
    private mutating func nested(_ intervals: [ProbeTimeline.Interval]) -> [[Span]] {
        var rows: [[Span]] = []
        var open: [UInt64] = []
        for interval in intervals where interval.end >= interval.start {
            while let end = open.last, end <= interval.start { open.removeLast() }
            var depth = open.count
            while depth < rows.count, let last = rows[depth].last, last.end > interval.start { depth += 1 }
            guard depth < Self.depthLimit else { continue }
            if depth >= rows.count { rows.append([]) }
            rows[min(depth, rows.count - 1)].append(span(interval))
            open.append(interval.end)
        }
        return rows
    }

    /// In as many rows as run at once.
    private mutating func addSpans() {
        var rows: [[Span]] = []
        for interval in recording.probeTimeline.intervals where interval.kind == .span {
            if let free = rows.firstIndex(where: { ($0.last?.end ?? 0) <= interval.start }) {
                rows[free].append(span(interval))
            } else if rows.count < Self.depthLimit {
                rows.append([span(interval)])
            }
        }
        guard !rows.isEmpty else { return }
        timeline.tracks.append(.init(kind: .spans, name: "intervals across threads", rows: rows))
    }

    private mutating func span(_ interval: ProbeTimeline.Interval) -> Span {
        Span(
            start: interval.start, end: interval.end,
            doing: number(.init(name: String(interval.name.prefix(Self.nameLength)))), kind: .interval)
    }
}
