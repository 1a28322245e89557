import GameprofBasics
import GameprofTrace

/// What the threads that held locks did while others waited for these: their own samples at the same time say it.
struct LockHolders {
    struct Holder: Hashable {
        var function: String
        var thread: String

        var text: String { "\(function) \(thread)" }
    }

    private struct Moment {
        var time: UInt64
        var end: UInt64
        var holder: Holder
        /// Periods that were sampled, so that a longer stay counts for more.
        var weight: UInt64
    }

    /// By thread, in order of time.
    private var moments: [[Moment]]
    /// By thread: the latest end up to each moment, so that both bounds are searched for.
    private var ends: [[UInt64]]
    /// A sample of the holder may come a period earlier or later than the look at who waits.
    private let tolerance: UInt64

    init(_ profile: Profile) {
        moments = [[Moment]](repeating: [], count: profile.threads.count)
        ends = [[UInt64]](repeating: [], count: profile.threads.count)
        tolerance = 2 * min(max(profile.waitPeriod, profile.period), 1 << 40)
        let wanted = Set(profile.samples.compactMap(\.holder))
        guard !wanted.isEmpty else { return }
        var names: [Profile.NodeID: String?] = [:]
        for sample in profile.samples where wanted.contains(sample.thread) {
            let name = names[sample.node] ?? Self.function(at: sample.node, profile)
            names[sample.node] = name
            guard let name else { continue }
            moments[sample.thread].append(
                Moment(
                    time: sample.time, end: sample.end,
                    holder: Holder(function: name, thread: profile.threads[sample.thread].name), weight: sample.weight))
            ends[sample.thread].append(max(ends[sample.thread].last ?? 0, sample.end))
        }
    }

    /// The user's innermost function.
    private static func function(at node: Profile.NodeID, _ profile: Profile) -> String? {
        let functions = profile.path(from: node).compactMap(profile.function)
        return functions.first { $0.origin == .user && !$0.isProgramStart }?.name
    }

    /// The time of a sample that waits, shared out among what the holder did meanwhile.
    func held(_ wait: Profile.Sample) -> [Holder: UInt64] {
        guard let thread = wait.holder else { return [:] }
        let begin = wait.time - min(wait.time, tolerance)
        let (end, isLast) = wait.end.addingReportingOverflow(tolerance)
        let all = moments[thread]
        let first = partition(0..<all.count) { ends[thread][$0] >= begin }
        let behind = isLast ? all.count : partition(0..<all.count) { all[$0].time > end }
        var shares: [Holder: Double] = [:]
        for moment in all[first..<max(first, behind)] where moment.end >= begin {
            shares[moment.holder, default: 0] += Double(max(moment.weight, 1))
        }
        let sum = shares.values.reduce(0, +)
        return shares.mapValues { UInt64(exactly: (Double(wait.weight) * $0 / sum).rounded(.down)) ?? wait.weight }
    }
}
