import GameprofBasics
import GameprofTrace

/// What grew through the run, as facts: every stack whose live bytes rose again and again, joined by what holds its blocks,
/// or by who makes them where no heap was recorded.
struct GrowthSection {
    let recording: Recording
    let symbolicator: any Symbolicating
    /// The heaps of the recording that may name holders.
    var heaps: [HeapOwnership] = []
    var rootNames: RootNames?

    /// Of a list in a report.
    static let rowLimit = 10
    private static let columns = 32
    private static let stackLimit = 512
    private static let leastBytes: UInt64 = 4096

    private struct Member {
        var row: StackAllocations
        var name: String
        var levels: [UInt64]
        var rise: RisingLevels
        var bytes: UInt64 { rise.peak }
    }

    private struct Group {
        var holder: CommonHolder.Name?
        var members: [Member] = []
        var rise = RisingLevels([])
    }

    private enum Key: Hashable {
        case holder(CommonHolder.Name)
        /// What is freed before the end is not held along with what is kept.
        case makers([String], type: String, isKept: Bool)
    }

    /// The rows, the largest growth first, and how many are left out.
    func rows() -> (rows: [Report.Grown], omitted: Int) {
        let members = candidates()
        guard !members.isEmpty else { return ([], 0) }
        let stacks = Set(members.map(\.row.stack))
        symbolicator.prepare(stacks: stacks, addresses: [])
        let peak = recording.allocations.totals.peakBytes
        let grown = groups(members, stacks).compactMap { group in
            var group = group
            group.rise = RisingLevels(Self.sum(group.members.map(\.levels)))
            // Earlier storages of what grows were freed too.
            let least = max(Self.leastBytes, peak / (group.rise.isKept ? 4096 : 128))
            return group.rise.isGrowth && group.rise.peak >= least ? group : nil
        }.sorted { ($0.rise.weight, $1.members[0].row.stack) > ($1.rise.weight, $0.members[0].row.stack) }
        let rows = grown.prefix(Self.rowLimit).map(row)
        return (rows, grown.count - rows.count)
    }

    /// Stacks that may be a part of what grew, the largest growth first.
    private func candidates() -> [Member] {
        let summary = recording.allocations
        let rising = summary.byStack.compactMap { row -> Member? in
            guard let levels = summary.liveCurves[row.stack] else { return nil }
            let rise = RisingLevels(levels)
            guard rise.isLater else { return nil }
            return Member(
                row: row, name: TypeNames.name(row.type, in: recording.types), levels: levels, rise: rise)
        }
        return Array(
            rising.sorted { ($0.rise.weight, $1.row.stack) > ($1.rise.weight, $0.row.stack) }.prefix(Self.stackLimit))
    }

    private func groups(_ members: [Member], _ stacks: Set<StackID>) -> [Group] {
        let holders = rootNames.map { names in heaps.map { CommonHolder($0, of: stacks, rootNames: names) } } ?? []
        // What is no user's goes with the user's type of the same maker.
        var owners: [[String]: String] = [:]
        let makers = members.map { self.makers(of: $0) }
        for (member, makers) in zip(members, makers) where TypeName.isUsers(member.name) {
            if let makers, owners[makers] == nil { owners[makers] = member.name }
        }
        var groups: [Key: Group] = [:]
        for (member, makers) in zip(members, makers) {
            guard let makers else { continue }
            let stack = member.row.stack
            let name = holders.max { $0.count(of: stack) < $1.count(of: stack) }?.name(of: stack)
            let type = TypeName.isUsers(member.name) ? member.name : owners[makers] ?? ""
            let key = name.map(Key.holder) ?? .makers(makers, type: type, isKept: member.rise.isKept)
            groups[key, default: Group(holder: name)].members.append(member)
        }
        return Array(groups.values)
    }

    /// Nil: no function of the user's is on the stack.
    private func makers(of member: Member) -> [String]? {
        let stack = symbolicator.stack(member.row.stack)
        return stack.frames.contains { $0.origin == .user } ? Signature.makers(of: stack) : nil
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
            bytes: group.members.reduce(0) { $0 &+ $1.row.counts.liveBytes }, peakBytes: group.rise.peak,
            lastAddedSeconds: Seconds.of(alike.map(\.row.lastTime).max() ?? 0),
            curve: recording.allocations.liveCurves.overTime(
                Self.sum(group.members.map(\.levels)), columns: Self.columns),
            allocatedBy: largest.flatMap { CallStack(symbolicator.stack($0.row.stack)) })
        let (part, whole) = row.isKept ? (row.bytes, totals.liveBytes) : (row.peakBytes, totals.peakBytes)
        row.share = whole > 0 ? min(1, (Double(part) / Double(whole) * 10_000).rounded() / 10_000) : 0
        return row
    }
}

/// How levels rose through the parts of a run.
struct RisingLevels {
    private(set) var peak: UInt64 = 0
    /// The most in the first eighth, which is warm-up; at the half and at the end.
    private let first, half, end: UInt64
    /// Parts that brought a new height, and the last of them.
    private var steps = 0
    private var lastStep = 0
    private let parts: Int

    /// Fewer new heights are a start or a single load.
    private static let fewestSteps = 4

    init(_ levels: [UInt64]) {
        parts = levels.count
        end = levels.last ?? 0
        guard parts >= 8 else {
            (first, half) = (0, 0)
            return
        }
        (first, half) = (levels.prefix(parts / 8).max() ?? 0, levels[parts / 2 - 1])
        let most = levels.max() ?? 0
        for (part, level) in levels.enumerated() where level > peak {
            guard level - peak > most / 256 else { continue }
            peak = level
            steps += 1
            lastStep = part
        }
        peak = most
    }

    /// What rises no more when it is full, or was there when the run began, is none. Growth to the end by time or by events
    /// passes the half of both; what is freed before the end may have risen at any time.
    var isGrowth: Bool {
        steps >= Self.fewestSteps && isLater && (!isKept || lastStep >= parts / 2)
    }

    /// A quarter came after the warm-up.
    var isLater: Bool { peak > 0 && peak - min(first, peak) >= peak / 4 }

    /// More than half of the peak lived at the end.
    var isKept: Bool { end >= peak / 2 }

    /// By which growth is ranked: bytes, and once more those of the second half.
    var weight: UInt64 { (peak - min(first, peak)) &+ (end - min(half, end)) }
}
