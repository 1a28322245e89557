import GameprofBasics
import GameprofTrace

/// What is different in the slow frames of a loop: each against the median frame.
struct SlowFrames {
    /// Of the excess that a cause is named for, and causes of a frame.
    private static let leastShare = 0.1
    private static let limit = 4

    private typealias Excess = Report.Frame.Excess

    private let frames: ProbeSummary.Frames
    private let profile: Profile?
    private let countsAllocations: Bool
    /// Those of the loop's threads in the user's code.
    private let moments: [Moment]
    /// Nanoseconds of a frame on average, by kind and function.
    private let average: [Key: UInt64]

    private struct Key: Hashable {
        var kind: Excess.Kind
        /// The innermost of the user's.
        var function: Profile.FunctionID
    }

    private struct Moment {
        var sample: Profile.Sample
        var thread: ThreadID
        var key: Key
    }

    /// Linear in the samples.
    init(_ frames: ProbeSummary.Frames, profile: Profile?, countsAllocations: Bool) {
        self.frames = frames
        self.profile = profile
        self.countsAllocations = countsAllocations
        moments = profile.map { Self.moments(of: Set(frames.slowest.map(\.thread)), $0) } ?? []
        var times: [Key: UInt64] = [:]
        for moment in moments { times[moment.key, default: 0] &+= moment.sample.weight }
        average = times.mapValues { $0 / max(frames.durations.count, 1) }
    }

    private static func moments(of threads: Set<ThreadID>, _ profile: Profile) -> [Moment] {
        profile.samples.compactMap { sample in
            let thread = profile.threads[sample.thread].id
            guard threads.contains(thread) else { return nil }
            let functions = profile.path(from: sample.node).lazy.compactMap { profile.frame(of: $0)?.function }
            guard let function = functions.first(where: { profile.functions[$0.index].origin == .user }) else {
                return nil
            }
            let kind: Excess.Kind = sample.kind == .waiting ? .waiting : .computing
            return Moment(sample: sample, thread: thread, key: Key(kind: kind, function: function))
        }
    }

    /// Nil: it took about as long as the median frame.
    func excess(of frame: ProbeSummary.Frame) -> [Report.Frame.Excess]? {
        let usual = (frames.work ?? frames.durations).p50
        let took = frame.workNanoseconds &+ frame.processorNanoseconds
        guard took > usual, took - usual > usual / 2 else { return nil }
        let longer = Double(took - usual)
        var found = frame.probes.filter { !FramePacing.isWaiting($0.name) }.map {
            Excess(kind: .interval, name: $0.name, value: $0.own, usual: frames.usual[$0.name] ?? 0)
        }
        found.append(Excess(kind: .rest, value: frame.restNanoseconds, usual: frames.usualRest))
        let processor = Excess(kind: .processor, value: frame.processorNanoseconds, usual: 0)
        found =
            Self.largest([processor], of: longer) + Self.largest(found, of: longer)
            + Self.largest(functions(of: frame), of: longer)
        let allocations = Excess(kind: .allocations, value: frame.allocations, usual: frames.usualAllocations)
        if countsAllocations, allocations.value > 2 * max(allocations.usual, 10) { found.append(allocations) }
        return found
    }

    private static func largest(_ found: [Excess], of longer: Double) -> [Excess] {
        let least = UInt64(longer * leastShare)
        return Array(
            found.filter { $0.value > $0.usual && $0.value - $0.usual >= max(least, 1) }
                .sorted { ($0.value - $0.usual, $1.name) > ($1.value - $1.usual, $0.name) }.prefix(limit))
    }

    /// Linear in the samples of the loop's threads.
    private func functions(of frame: ProbeSummary.Frame) -> [Excess] {
        guard let profile, !frame.thread.isNone else { return [] }
        let start = UInt64(min(max(0, frame.seconds) * 1e9, 0x1p63))
        let (end, overflow) = start.addingReportingOverflow(frame.nanoseconds)
        let range = start...(overflow ? .max : end)
        var times: [Key: UInt64] = [:]
        for moment in moments where moment.thread == frame.thread {
            let sample = moment.sample
            guard sample.time <= range.upperBound, sample.end >= range.lowerBound else { continue }
            let inside = UInt64(sample.times.count { range.contains($0) })
            times[moment.key, default: 0] &+= sample.weight / UInt64(max(sample.count, 1)) &* inside
        }
        return times.map { key, time in
            Excess(
                kind: key.kind, name: String(profile.functions[key.function.index].name.prefix(200)), value: time,
                usual: average[key] ?? 0)
        }
    }
}
