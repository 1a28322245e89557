import GameprofBasics
import GameprofTrace

/// What the report says of probes, frames and the debug log.
enum ProbeSectionBuilder {
    private static let logLimit = 2_000
    private static let intervalLimit = 500
    private static let nameLength = 200

    /// `profile`: of the same run; nil: time was not recorded.
    static func add(_ recording: Recording, profile: Profile?, to report: inout AnalyzedReport) {
        let probes = recording.probes
        if !probes.intervals.isEmpty { report.facts.probes = probes.intervals.prefix(intervalLimit).map(row) }
        for interval in probes.intervals.prefix(intervalLimit) where interval.endedElsewhere > 0 {
            report.notes.append(.intervalsEndedElsewhere(name: cut(interval.name), interval.endedElsewhere))
        }
        if !probes.events.isEmpty { report.facts.probeEvents = probes.events.prefix(intervalLimit).map(row) }
        if !probes.counters.isEmpty { report.facts.counters = probes.counters.prefix(intervalLimit).map(row) }
        if !probes.frames.isEmpty {
            let counts = report.facts.countsAllocations
            report.facts.frames = probes.frames.prefix(intervalLimit).map {
                row($0, SlowFrames($0, profile: profile, countsAllocations: counts))
            }
        }
        if !recording.log.isEmpty {
            report.facts.log = recording.log.prefix(logLimit).map { line in
                Report.LogLine(
                    seconds: Seconds.of(line.time),
                    thread: recording.threadNames[line.thread] ?? line.thread.description, file: line.file,
                    line: Int(line.line), message: line.message)
            }
            if recording.log.count > logLimit {
                report.notes.append(.logLinesOmitted(recording.log.count - logLimit))
            }
        }
    }

    private static func row(_ interval: ProbeSummary.Interval) -> Report.Probe {
        Report.Probe(
            name: cut(interval.name), durations: interval.durations,
            allocations: interval.allocations, bytes: interval.bytes, open: interval.open,
            activity: interval.activity.map { Report.Activity(seconds: $0.seconds, busySeconds: $0.busySeconds) },
            bucketSeconds: interval.bucketSeconds)
    }

    private static func row(_ event: ProbeSummary.Event) -> Report.ProbeEvent {
        Report.ProbeEvent(name: cut(event.name), count: event.count, seconds: event.seconds)
    }

    private static func row(_ counter: ProbeSummary.Counter) -> Report.Counter {
        Report.Counter(
            name: cut(counter.name), count: counter.count, min: counter.min, max: counter.max, last: counter.last,
            points: counter.points.map { Report.Counter.Point(seconds: $0.seconds, value: $0.value) })
    }

    private static func row(_ frames: ProbeSummary.Frames, _ slow: SlowFrames) -> Report.FrameLoop {
        var loop = Report.FrameLoop(
            name: cut(frames.name), durations: frames.durations,
            allocations: frames.allocations, bytes: frames.bytes,
            slowest: frames.slowest.map { frame in
                var row = Report.Frame(
                    number: frame.number, seconds: frame.seconds, nanoseconds: frame.nanoseconds,
                    allocations: frame.allocations, bytes: frame.bytes,
                    probes: frame.probes.prefix(20).map {
                        Report.Frame.Share(
                            name: cut($0.name), count: $0.count, nanoseconds: $0.nanoseconds, selfNanoseconds: $0.own)
                    })
                if frame.workNanoseconds < frame.nanoseconds { row.workNanoseconds = frame.workNanoseconds }
                if frame.processorNanoseconds > 0 { row.processorNanoseconds = frame.processorNanoseconds }
                row.excess = slow.excess(of: frame)
                return row
            })
        loop.work = frames.work
        loop.usualAllocations = frames.usualAllocations
        return loop
    }

    private static func cut(_ name: String) -> String { String(name.prefix(nameLength)) }
}
