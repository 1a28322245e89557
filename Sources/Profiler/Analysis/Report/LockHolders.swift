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
    /// A sample of the holder may come a period earlier or later than the look at who waits.
    private let tolerance: UInt64

    init(_ profile: Profile) {
        moments = [[Moment]](repeating: [], count: profile.threads.count)
        tolerance = 2 * max(profile.waitPeriod, profile.period)
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
        var shares: [Holder: UInt64] = [:]
        for moment in moments[thread] where moment.end >= begin && moment.time <= wait.end + tolerance {
            shares[moment.holder, default: 0] += max(moment.weight, 1)
        }
        let sum = shares.values.reduce(0, +)
        return shares.mapValues { UInt64(Double(wait.weight) * Double($0) / Double(sum)) }
    }
}
