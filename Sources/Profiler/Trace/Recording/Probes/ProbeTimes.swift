import GameprofBasics

/// Turns what was collected in ticks into names and time.
struct ProbeTimes {
    let clock: ProbeClock
    let names: [ProbeNameID: String]

    private func nameOf(_ id: ProbeNameID) -> String { names[id] ?? "?" }

    func interval(_ name: String, _ series: ProbeSeries) -> ProbeSummary.Interval {
        var interval = ProbeSummary.Interval(name: name, durations: durations(series.durations))
        interval.allocations = series.allocations
        interval.bytes = series.bytes
        interval.open = series.open
        interval.endedElsewhere = min(series.openOnThreads, series.strayEnds)
        interval.bucketSeconds = seconds(series.activity.width)
        interval.activity = series.activity.busy.map { (clock.seconds(at: $0.start), seconds($0.busy)) }
        return interval
    }

    func event(_ name: String, _ series: ThinnedSeries<Void>) -> ProbeSummary.Event {
        ProbeSummary.Event(
            name: name, count: series.count, seconds: series.kept.map { clock.seconds(at: $0.ticks) }.sorted())
    }

    func counter(_ name: String, _ series: ProbeCollector.CounterSeries) -> ProbeSummary.Counter {
        ProbeSummary.Counter(
            name: name, count: series.points.count, min: series.minimum, max: series.maximum,
            last: series.last.value,
            points: series.points.kept.map { (clock.seconds(at: $0.ticks), $0.value) }.sorted { $0.0 < $1.0 })
    }

    func frames(_ name: String, _ series: FrameSeries) -> ProbeSummary.Frames {
        let usual = Dictionary(series.own.keys.map { (nameOf($0), clock.nanoseconds(series.usual($0))) }) { $0 &+ $1 }
        var frames = ProbeSummary.Frames(
            name: name, durations: durations(series.durations),
            work: series.work.total < series.durations.total ? durations(series.work) : nil, usual: usual,
            usualRest: clock.nanoseconds(series.rest.percentiles([0.5])[0]),
            usualAllocations: series.allocationCounts.percentiles([0.5])[0], allocations: series.allocations,
            bytes: series.bytes, slowest: series.slowest.map(frame))
        frames.all = series.all.map { frame in
            var figures = frame
            figures.start = UInt64(min(clock.seconds(at: frame.start), 1e9) * 1e9)
            figures.length = clock.nanoseconds(frame.length)
            figures.work = clock.nanoseconds(frame.work)
            figures.processor = clock.nanoseconds(frame.processor)
            return figures
        }
        let count = max(series.stackFrames, 1)
        frames.steady = series.stacks.entries.filter { $0.value.frames >= count - count / 2 }.map { stack, entry in
            ProbeSummary.SteadyStack(
                stack: stack, allocations: Double(entry.allocations) / Double(count),
                bytes: Double(entry.bytes) / Double(count))
        }
        .sorted { ($0.bytes, $1.stack) > ($1.bytes, $0.stack) }
        return frames
    }

    private func frame(_ frame: FrameSeries.Frame) -> ProbeSummary.Frame {
        ProbeSummary.Frame(
            number: frame.number, seconds: clock.seconds(at: frame.start), nanoseconds: clock.nanoseconds(frame.ticks),
            workNanoseconds: clock.nanoseconds(frame.work),
            processorNanoseconds: clock.nanoseconds(frame.processorWait),
            restNanoseconds: clock.nanoseconds(frame.rest),
            thread: frame.thread, allocations: frame.allocations, bytes: frame.bytes,
            probes: frame.probes.map {
                (nameOf($0.key), $0.value.count, clock.nanoseconds($0.value.ticks), clock.nanoseconds($0.value.own))
            }
            .sorted { ($0.2, $1.0) > ($1.2, $0.0) })
    }

    private func durations(_ histogram: DurationHistogram) -> Durations {
        guard histogram.count > 0 else { return Durations() }
        let percentiles = histogram.percentiles([0.5, 0.95, 0.99]).map(clock.nanoseconds)
        return Durations(
            count: histogram.count, total: clock.nanoseconds(histogram.total),
            min: clock.nanoseconds(histogram.minimum), p50: percentiles[0], p95: percentiles[1], p99: percentiles[2],
            max: clock.nanoseconds(histogram.maximum), exact: histogram.isExact)
    }

    private func seconds(_ ticks: UInt64) -> Double { Double(clock.nanoseconds(ticks)) / 1e9 }
}
