import GameprofBasics
import GameprofTrace

/// The time part of a report.
enum HotspotSectionBuilder {
    private static let timelineParts = Report.Hotspots.ThreadRow.timelineParts
    /// Threads with a row and stacks of their own; the others are put together.
    static let threadLimit = 32
    /// Lines of a function.
    static let lineLimit = 24
    /// A smaller part of the CPU time without samples is chance.
    private static let leastUnsampled = 0.02
    private static let callerLimit = 8

    private static func times(of profile: Profile) -> Report.Hotspots {
        var result = Report.Hotspots(
            samples: UInt64(profile.sampleCount), cpuSeconds: seconds(profile.cpu),
            rate: profile.period > 0 ? 1e9 / Double(profile.period) : 0, method: profile.method)
        result.systemSeconds = seconds(profile.threads.reduce(0) { $0 &+ $1.system })
        let sampled = profile.samples.reduce(0) { $1.kind == .computing ? $0 &+ $1.weight : $0 }
        let lost = Double(profile.threads.reduce(0) { $0 &+ $1.lost }) * Double(profile.period) / 1e9
        // Samples stand for a little more or less than what passed.
        let unsampled = min(result.systemSeconds, result.cpuSeconds - seconds(sampled) - lost)
        if unsampled > result.cpuSeconds * leastUnsampled { result.unsampledSeconds = unsampled }
        return result
    }

    /// The functions with the most time, and the stacks that can be seen.
    static func rows(of profile: Profile, limit: Int) -> Report.Hotspots {
        var result = times(of: profile)
        result.lost = profile.threads.reduce(0) { $0 &+ $1.lost }
        let totals = FunctionTotals(profile)
        let unit = Double(max(totals.total, 1))
        result.hottest = HottestFunction(profile).row(share: share)
        (result.functions, result.omittedFunctions) = functions(of: profile, totals, unit: unit, limit: limit)
        if profile.waitPeriod > 0 {
            let waits = WaitSectionBuilder(profile, limit: limit)
            result.offCPU = waits.rows
            result.omittedWaits = waits.omitted > 0 ? waits.omitted : nil
            result.idleSeconds = seconds(waits.idle)
        }
        result.threads = threads(of: profile)
        let omitted = profile.threads.count - result.threads.count
        result.omittedThreads = omitted > 0 ? omitted : nil
        (result.work, result.omittedWork) = work(of: profile, unit: unit)
        result.callTree = CallTreeRows.tree(of: profile)
        return result
    }

    /// How samples were taken, and what they do not show.
    static func notes(of profile: Profile) -> [Report.Note] {
        var notes: [Report.Note] = profile.method.isEmpty ? [] : [.sampling(method: profile.method)]
        let hotspots = times(of: profile)
        if let seconds = hotspots.unsampledSeconds { notes.append(.kernelTimeUnsampled(seconds: seconds)) }
        return notes
    }

    private static func seconds(_ nanoseconds: UInt64) -> Double { Seconds.of(nanoseconds) }

    // MARK: - Functions

    private static func functions(
        of profile: Profile, _ totals: FunctionTotals, unit: Double, limit: Int
    ) -> (rows: [Report.Hotspots.FunctionRow], omitted: Int) {
        let (shown, omitted) = totals.largest(of: profile, limit: limit)
        let lines = totals.linesOfFunctions(profile)
        let callers = HottestCallers(profile)
        let rows = shown.map { index in
            let function = profile.functions[index]
            let lines = lineRows(lines[index] ?? [:], unit: unit)
            return Report.Hotspots.FunctionRow(
                function: function.name, module: function.module, file: function.file, line: lines.first?.line,
                own: share(totals.functions[index].own, unit), total: share(totals.functions[index].total, unit),
                origin: function.origin, lines: lines,
                callers: callers.of(Profile.FunctionID(index), limit: callerLimit).map {
                    profile.functions[$0.index].name
                })
        }
        return (rows, omitted)
    }

    /// The most at the line itself first.
    private static func lineRows(_ lines: [Int: FunctionTotals.Times], unit: Double) -> [Report.LineRow] {
        lines.sorted { ($1.value.own, $1.value.total, $0.key) < ($0.value.own, $0.value.total, $1.key) }
            .prefix(lineLimit)
            .map { .init(line: $0.key, own: share($0.value.own, unit), total: share($0.value.total, unit)) }
    }

    /// Six decimals: a sample in a million is seen, noise of the division is not.
    private static func share(_ nanoseconds: UInt64, _ unit: Double) -> Double {
        (Double(nanoseconds) / unit * 1e6).rounded() / 1e6
    }

    // MARK: - Queues and tasks

    /// Labels of the queues that everything runs on which has none of its own: they say nothing of whose work it is.
    static func isPool(_ work: WorkRecord) -> Bool {
        work.kind != .task && (work.name == "Swift global concurrent queue" || work.name.hasPrefix("com.apple.root."))
    }

    /// The busiest first, and how many were left out; nil where no sample was taken at one with a name.
    private static func work(of profile: Profile, unit: Double) -> (
        rows: [Report.Hotspots.ExecutionContextRow]?, omitted: Int?
    ) {
        var weights = [UInt64](repeating: 0, count: profile.works.count)
        for sample in profile.samples where sample.kind == .computing {
            if let index = sample.work { weights[index] &+= sample.weight }
        }
        let used = profile.works.indices.filter { weights[$0] > 0 && !isPool(profile.works[$0]) }
            .sorted { (weights[$1], profile.works[$0].name) < (weights[$0], profile.works[$1].name) }
        let rows = used.prefix(threadLimit).map {
            let part = share(weights[$0], unit)
            return Report.Hotspots.ExecutionContextRow(
                kind: profile.works[$0].kind == .task ? .task : .queue, name: profile.works[$0].name,
                cpuSeconds: part * seconds(profile.cpu), share: part)
        }
        return (rows.isEmpty ? nil : rows, used.count > rows.count ? used.count - rows.count : nil)
    }

    // MARK: - Threads

    private static func threads(of profile: Profile) -> [Report.Hotspots.ThreadRow] {
        let part = max(profile.wall / UInt64(timelineParts), 1)
        var rows = profile.threads.prefix(threadLimit).map {
            Report.Hotspots.ThreadRow(
                name: $0.name, cpuSeconds: seconds($0.cpu), samples: 0,
                timeline: Array(repeating: 0, count: timelineParts))
        }
        for sample in profile.samples where sample.kind == .computing && sample.thread < rows.count {
            rows[sample.thread].samples += UInt64(sample.count)
            let each = Double(sample.weight) / Double(max(sample.count, 1)) / 1e9
            for time in sample.times {
                rows[sample.thread].timeline[min(Int(clamping: time / part), timelineParts - 1)] += each
            }
        }
        for index in rows.indices {
            rows[index].timeline = rows[index].timeline.map { ($0 * 1e6).rounded() / 1e6 }
        }
        return rows
    }
}

/// The way from a function to the outside along which the most of its CPU time was spent.
private struct HottestCallers {
    private let profile: Profile
    private var hottest: [Int: (node: Profile.NodeID, weight: UInt64)] = [:]

    init(_ profile: Profile) {
        self.profile = profile
        var weights = [UInt64](repeating: 0, count: profile.nodes.count)
        for sample in profile.samples where sample.kind == .computing { weights[sample.node.index] &+= sample.weight }
        for index in weights.indices.dropFirst().reversed() {
            weights[profile.nodes[index].parent.index] &+= weights[index]
        }
        for index in weights.indices.dropFirst() {
            let function = profile.frames[profile.nodes[index].frame.index].function.index
            if weights[index] > hottest[function]?.weight ?? 0 {
                hottest[function] = (Profile.NodeID(index), weights[index])
            }
        }
    }

    /// Its callers, the nearest first; the user's alone, if there are any. The function itself is left out.
    func of(_ function: Profile.FunctionID, limit: Int) -> [Profile.FunctionID] {
        guard let node = hottest[function.index]?.node else { return [] }
        var callers: [Profile.FunctionID] = []
        for caller in profile.path(from: node).dropFirst() {
            let id = profile.frames[profile.nodes[caller.index].frame.index].function
            if id != function, id != callers.last { callers.append(id) }
        }
        let users = callers.filter { profile.functions[$0.index].origin == .user }
        return Array((users.isEmpty ? callers : users).prefix(limit))
    }
}
