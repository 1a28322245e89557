import GameprofBasics
import GameprofTrace

/// The waiting part of a report: how long each of the user's functions let its thread wait, and for what. Threads that
/// wait in nobody's code, as those of a pool do while there is no work, are told apart.
struct WaitSectionBuilder {
    private(set) var rows: [Report.Hotspots.FunctionRow] = []
    /// Functions that the rows leave out.
    private(set) var omitted = 0
    /// Nanoseconds that threads waited outside the user's code.
    private(set) var idle: UInt64 = 0
    /// How many threads did.
    private(set) var idleThreads = 0

    private struct Entry {
        var own: UInt64 = 0
        var total: UInt64 = 0
        var lines: [Int: FunctionTotals.Times] = [:]
        var reasons: [String: UInt64] = [:]
        var holders: [LockHolders.Holder: UInt64] = [:]
        var longest: (node: Profile.NodeID, weight: UInt64)?

        /// Without what was waited for events.
        var busy: UInt64 { own &- WaitReason.ofLoops.reduce(0) { $0 &+ (reasons[$1] ?? 0) } }
    }

    init(_ profile: Profile, limit: Int) {
        var weights: [Profile.NodeID: UInt64] = [:]
        var idlers: Set<Int> = []
        for sample in profile.samples where sample.kind == .waiting {
            weights[sample.node, default: 0] &+= sample.weight
            if Self.waiting(at: sample.node, profile) == nil { idlers.insert(sample.thread) }
        }
        idleThreads = idlers.count
        var entries: [Int: Entry] = [:]
        for (node, weight) in weights.sorted(by: { $0.key < $1.key }) { add(node, weight, profile, &entries) }
        let holders = LockHolders(profile)
        // By node: the function that waits for a lock there.
        var lockers: [Profile.NodeID: Int?] = [:]
        for sample in profile.samples where sample.kind == .waiting && sample.holder != nil {
            let known = lockers[sample.node]
            let locker = known ?? Self.locker(at: sample.node, profile)
            if known == nil { lockers[sample.node] = .some(locker) }
            guard let locker else { continue }
            for (holder, weight) in holders.held(sample) { entries[locker]?.holders[holder, default: 0] &+= weight }
        }
        // An event loop waits because there is nothing to do.
        let sorted = entries.sorted {
            ($1.value.busy, $1.value.own, $1.value.total, profile.functions[$0.key].name)
                < ($0.value.busy, $0.value.own, $0.value.total, profile.functions[$1.key].name)
        }
        rows = sorted.prefix(limit).map { Self.row($0.key, $0.value, profile) }
        omitted = sorted.count - rows.count
    }

    /// The user's innermost function on the stack: the one that waits.
    private static func waiting(at node: Profile.NodeID, _ profile: Profile) -> Profile.NodeID? {
        profile.path(from: node).first { profile.function(of: $0)?.origin == .user && !isStart(profile, $0) }
    }

    /// The user's innermost function on the stack, else the library's, and what it waits for if it waits; nil: it is nobody's.
    static func doing(at node: Profile.NodeID, _ profile: Profile) -> (name: String, reason: String?) {
        guard let own = waiting(at: node, profile) else { return (profile.function(of: node)?.name ?? "", nil) }
        return (profile.function(of: own)?.name ?? "", reason(of: node, own, profile))
    }

    private static func isStart(_ profile: Profile, _ node: Profile.NodeID) -> Bool {
        profile.function(of: node)?.isProgramStart ?? true
    }

    /// The user's function that waits for a lock; nil: it waits for something else.
    private static func locker(at node: Profile.NodeID, _ profile: Profile) -> Int? {
        guard let own = waiting(at: node, profile), reason(of: node, own, profile) == "lock" else { return nil }
        return profile.frame(of: own)?.function.index
    }

    private static func reason(
        of node: Profile.NodeID, _ own: Profile.NodeID, _ profile: Profile
    ) -> String {
        WaitReason.name(of: profile.path(from: node).prefix { $0 != own }.compactMap { profile.function(of: $0)?.name })
    }

    private mutating func add(
        _ node: Profile.NodeID, _ weight: UInt64, _ profile: Profile, _ entries: inout [Int: Entry]
    ) {
        guard let own = Self.waiting(at: node, profile) else {
            idle &+= weight
            return
        }
        let reason = Self.reason(of: node, own, profile)
        var seen: Set<Int> = []
        for caller in profile.path(from: own) {
            let frame = profile.frames[profile.nodes[caller.index].frame.index]
            let function = frame.function.index
            guard seen.insert(function).inserted else { continue }
            entries[function, default: Entry()].total &+= weight
            if let line = frame.line { entries[function]?.lines[line, default: .init()].total &+= weight }
            guard caller == own else { continue }
            entries[function]?.own &+= weight
            entries[function]?.reasons[reason, default: 0] &+= weight
            if let line = frame.line { entries[function]?.lines[line]?.own &+= weight }
            if weight > entries[function]?.longest?.weight ?? 0 { entries[function]?.longest = (own, weight) }
        }
    }

    private static func row(_ index: Int, _ entry: Entry, _ profile: Profile) -> Report.Hotspots.FunctionRow {
        let function = profile.functions[index]
        let lines = entry.lines.sorted {
            ($1.value.own, $1.value.total, $0.key) < ($0.value.own, $0.value.total, $1.key)
        }
        var callers: [String] = []
        for node in entry.longest.map({ profile.path(from: $0.node) }) ?? [] {
            guard let caller = profile.function(of: node), caller.origin == .user else { continue }
            if caller.name != function.name, caller.name != callers.last { callers.append(caller.name) }
        }
        var row = Report.Hotspots.FunctionRow(
            function: function.name, module: function.module, file: function.file, line: lines.first?.key,
            own: seconds(entry.own), total: seconds(entry.total), origin: function.origin,
            lines: lines.prefix(8).map {
                .init(line: $0.key, own: seconds($0.value.own), total: seconds($0.value.total))
            },
            callers: Array(callers.prefix(8)))
        row.waitsFor = entry.reasons.isEmpty ? nil : entry.reasons.mapValues(seconds)
        let held = entry.holders.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }
        if !held.isEmpty {
            row.heldBy = held.prefix(8).map {
                .init(function: $0.key.function, thread: $0.key.thread, seconds: seconds($0.value))
            }
        }
        return row
    }

    private static func seconds(_ nanoseconds: UInt64) -> Double { Seconds.of(nanoseconds) }
}

/// What a thread waits for, by the library functions between the user's code and the kernel.
enum WaitReason {
    private static let words: [(reason: String, parts: [String])] = [
        ("condition", ["cond_wait", "cond_timedwait", "cond_clockwait", "NSCondition.wait", "pthread_cond"]),
        ("semaphore", ["sem_wait", "sem_timedwait", "sem_clockwait", "dispatch_semaphore", "sema4"]),
        ("group", ["dispatch_group_wait", "DispatchGroup.wait"]),
        ("queue", ["dispatch_sync", "DispatchQueue.sync", "dispatch_barrier_sync", "dispatch_once_wait"]),
        ("lock", ["mutex_lock", "rwlock", "NSLock.lock", "NSRecursiveLock.lock", "lll_lock", "unfair_lock", "Mutex"]),
        ("thread", ["pthread_join", "timedjoin", "clockjoin", "thread::join"]),
        ("barrier", ["barrier_wait"]),
        ("sleep", ["nanosleep", "usleep", "sleep"]),
        ("process", ["waitpid", "wait4", "waitid", "Process.waitUntilExit"]),
        ("run loop", ["RunLoop"]),
        ("events", ["poll", "select"]),
        (
            "input or output",
            ["read", "write", "recv", "send", "accept", "connect", "fsync", "open", "msync"]
        ),
        ("lock", ["futex"]),
    ]

    /// What loops wait for that have nothing to do.
    static let ofLoops = ["run loop", "events"]

    /// `functions`: innermost first.
    static func name(of functions: [String]) -> String {
        for name in functions.reversed() {
            if let word = words.first(where: { $0.parts.contains { tells(name, $0) } }) { return word.reason }
        }
        return "something else"
    }

    /// A thread does not read: `pthread_barrier_wait`.
    private static func tells(_ name: String, _ part: String) -> Bool {
        part == "read" ? name.replacing("hread", with: "").contains(part) : name.contains(part)
    }
}
