import GameprofBasics
import GameprofTrace

/// What grew through the run, as facts: every stack of which more lives at the end than in the first third, joined by what
/// holds its blocks, or by who makes them where no heap was recorded.
struct GrowthSection {
    let recording: Recording
    let symbolicator: any Symbolicating
    /// The heaps of the recording that may name holders.
    var heaps: [HeapOwnership] = []
    var rootNames: RootNames?

    /// The most rows that a report lists.
    static let rowLimit = 10
    private static let columns = 32
    private static let stackLimit = 512
    private static let leastBytes: UInt64 = 4096

    private struct Member {
        var row: StackAllocations
        var name: String
        var levels: [UInt64]
        /// It rose by itself; else it may be a part of what rose: of objects that several callers make.
        var rises: Bool
        var bytes: UInt64 { row.counts.liveBytes }
    }

    private struct Group {
        var holder: CommonHolder.Name?
        var members: [Member] = []
        var bytes: UInt64 { members.reduce(0) { $0 &+ $1.bytes } }
    }

    private enum Key: Hashable {
        case holder(CommonHolder.Name)
        case makers([String], type: String)
    }

    /// The rows, the largest growth first, and how many are left out.
    func rows() -> (rows: [Report.Grown], omitted: Int) {
        let thirds = RisingLevels.Thirds(of: recording.allocations.liveCurves)
        let members = candidates(thirds)
        guard !members.isEmpty else { return ([], 0) }
        let stacks = Set(members.map(\.row.stack))
        symbolicator.prepare(stacks: stacks, addresses: [])
        let least = max(Self.leastBytes, recording.allocations.totals.peakBytes / 4096)
        let grown = groups(members, stacks).filter { group in
            group.bytes >= least && RisingLevels(Self.sum(group.members.map(\.levels)), thirds).isGrowth
        }.sorted { ($0.bytes, $1.members[0].row.stack) > ($1.bytes, $0.members[0].row.stack) }
        let rows = grown.prefix(Self.rowLimit).map(row)
        return (rows, grown.count - rows.count)
    }

    /// Stacks that may be a part of what grew, the most bytes first.
    private func candidates(_ thirds: RisingLevels.Thirds) -> [Member] {
        let summary = recording.allocations
        let living = summary.byStack.compactMap { row -> Member? in
            guard row.counts.liveBytes > 0, let levels = summary.liveCurves[row.stack] else { return nil }
            return Member(
                row: row, name: TypeNames.name(row.type, in: recording.types), levels: levels,
                rises: RisingLevels(levels, thirds).isLater)
        }
        let types = Set(living.lazy.filter(\.rises).map(\.name))
        return Array(
            living.filter { types.contains($0.name) }
                .sorted { ($0.rises ? 1 : 0, $0.bytes, $1.row.stack) > ($1.rises ? 1 : 0, $1.bytes, $0.row.stack) }
                .prefix(Self.stackLimit))
    }

    private func groups(_ members: [Member], _ stacks: Set<StackID>) -> [Group] {
        let holders = rootNames.map { names in heaps.map { CommonHolder($0, of: stacks, rootNames: names) } } ?? []
        let makers = members.map { self.makers(of: $0) }
        // What an object's own functions make goes with it.
        var owners: [[String]: [String: String]] = [:]
        for (member, makers) in zip(members, makers) where TypeName.isUsers(member.name) {
            if let makers { owners[makers, default: [:]][TypeName.bare(member.name)] = member.name }
        }
        var groups: [Key: Group] = [:]
        for (member, makers) in zip(members, makers) {
            guard let makers else { continue }
            let stack = member.row.stack
            let name = holders.max { $0.count(of: stack) < $1.count(of: stack) }?.name(of: stack)
            let type = TypeName.isUsers(member.name) ? member.name : owner(of: member, among: owners[makers] ?? [:])
            let key = name.map(Key.holder) ?? .makers(makers, type: type)
            groups[key, default: Group(holder: name)].members.append(member)
        }
        return groups.values.map { group in
            var group = group
            let types = Set(group.members.lazy.filter(\.rises).map(\.name))
            group.members.removeAll { !types.contains($0.name) }
            return group
        }.filter { !$0.members.isEmpty }
    }

    /// Nil: no function of the user's is on the stack.
    private func makers(of member: Member) -> [String]? {
        let stack = symbolicator.stack(member.row.stack)
        return stack.frames.contains { $0.origin == .user } ? Signature.makers(of: stack) : nil
    }

    /// The type whose function made it; its own where none did.
    /// - Parameter types: by their names without a module.
    private func owner(of member: Member, among types: [String: String]) -> String {
        let frames = symbolicator.stack(member.row.stack).frames.filter { $0.origin == .user }
        return frames.lazy.compactMap { FunctionName.enclosingType($0.function).flatMap { types[$0] } }.first
            ?? member.name
    }

    private static func sum(_ levels: [[UInt64]]) -> [UInt64] {
        levels.dropFirst().reduce(levels.first ?? []) { sum, next in zip(sum, next).map { $0 &+ $1 } }
    }

    private func row(_ group: Group) -> Report.Grown {
        let users = group.members.filter { TypeName.isUsers($0.name) }
        var sums: [String: UInt64] = [:]
        for member in users.isEmpty ? group.members : users { sums[member.name, default: 0] &+= member.bytes }
        let type = sums.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
        let alike = group.members.filter { $0.name == type }
        let largest = alike.max { ($0.bytes, $1.row.stack) < ($1.bytes, $0.row.stack) }
        let totals = recording.allocations.totals
        func count(_ path: KeyPath<AllocationCounts, UInt64>) -> UInt64 {
            alike.reduce(0) { $0 &+ $1.row.counts[keyPath: path] }
        }
        var row = Report.Grown(
            holder: group.holder?.holder, field: group.holder?.field, type: type, added: count(\.allocations),
            removed: count(\.frees), kept: count(\.liveCount),
            bytes: group.bytes, lastAddedSeconds: Seconds.of(alike.map(\.row.lastTime).max() ?? 0),
            curve: recording.allocations.liveCurves.overTime(
                Self.sum(group.members.map(\.levels)), columns: Self.columns),
            allocatedBy: largest.flatMap { CallStack(symbolicator.stack($0.row.stack)) })
        let share = Double(row.bytes) / Double(max(1, totals.liveBytes))
        row.share = min(1, (share * 10_000).rounded() / 10_000)
        return row
    }
}

/// How levels rose through the parts of a run.
struct RisingLevels {
    private let end: UInt64
    /// What lives at the end beyond the most in the first third, and beyond what lived at the second.
    private let growth, lateGrowth: UInt64
    /// Parts after the first third that brought a new height.
    private let steps: Int

    /// Fewer new heights are a single load.
    private static let fewestSteps = 4

    /// The parts of a run in which its thirds end.
    struct Thirds {
        let first, second: Int

        /// The first has passed where it has in time and in events: a start with many events is over then, and so is one that a
        /// wait follows. Growth to the end by time or by events passes the second of one of them.
        init(of curves: LiveCurves) {
            let (one, two) = (curves.parts(at: 1 / 3), curves.parts(at: 2 / 3))
            first = max(one.byTime, one.byEvents)
            second = max(first, min(two.byTime, two.byEvents))
        }

        /// The thirds of a run of so many levels.
        init(of count: Int) { (first, second) = ((count - 1) / 3, 2 * (count - 1) / 3) }
    }

    init(_ levels: [UInt64], _ thirds: Thirds) {
        end = levels.last ?? 0
        let most = levels.max() ?? 0
        var peak = levels.prefix(thirds.first + 1).max() ?? 0
        growth = end - min(end, peak)
        lateGrowth = thirds.second < levels.count ? end - min(end, levels[thirds.second]) : 0
        var steps = 0
        for level in levels.dropFirst(thirds.first + 1) where level > peak && level - peak > most / 256 {
            peak = level
            steps += 1
        }
        self.steps = steps
    }

    /// What comes and goes, rises no more when it is full, or was there at the first third, is none.
    var isGrowth: Bool { isGrowth(steps: Self.fewestSteps) }

    /// The same with as many new heights at least.
    func isGrowth(steps fewest: Int) -> Bool { isLater && steps >= fewest && lateGrowth >= growth / 8 }

    /// A quarter came after the first third.
    var isLater: Bool { growth > 0 && growth >= end / 4 }
}
