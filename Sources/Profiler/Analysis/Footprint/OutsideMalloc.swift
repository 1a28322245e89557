import GameprofBasics
import GameprofTrace

/// Memory outside of malloc that is lost: mappings to which nothing refers, and stacks of threads that have ended and that nobody can
/// join any more.
///
/// A mapping that the program made for itself may be meant to stay, and a thread may be joined later. What proves that neither will
/// happen is that the whole memory of the process has no address in the mapping, and not the thread's handle. A word on a stack may
/// be one that a function has left there, so that those few do not count for others of the same maker.
struct OutsideMalloc {
    let recording: Recording
    let symbolicator: any Symbolicating

    /// From one maker: fewer may be a choice of the program's, as what a library reserves at its start.
    private static let fewest = 3
    /// Each thread may have told the kernel alone of a stack for its signal handlers.
    private static let signalStackBytes: UInt64 = 1 << 20
    /// How many of those that nothing lasting refers to a word on a stack may name, as their last user has left it.
    private static let mostPassing = 2

    private struct Group {
        var kind: ResidentRangeRecord.Kind
        var ranges: [ResidentRangeRecord]
        var signature: String
    }

    func findings(in snapshot: HeapSnapshot) -> [AnalyzedFinding] {
        let lost = snapshot.resident.ranges.filter {
            !$0.stack.isNone && ($0.referrer == .none || $0.referrer == .passing)
        }
        symbolicator.prepare(stacks: Set(lost.map(\.stack)), addresses: [])
        var groups: [Group] = []
        for range in lost.sorted(by: { ($0.stack, $0.start) < ($1.stack, $1.start) }) {
            let signature = Signature.of(
                kind: range.kind == .mapped ? .lostMapping : .unjoinedThread,
                madeBy: symbolicator.stack(range.stack))
            if let place = groups.firstIndex(where: { $0.signature == signature }) {
                groups[place].ranges.append(range)
            } else {
                groups.append(Group(kind: range.kind, ranges: [range], signature: signature))
            }
        }
        return groups.filter { isLost($0, threads: Int(snapshot.begin.threads)) }.map {
            finding($0, snapshot.resident.maps)
        }
    }

    private func isLost(_ group: Group, threads: Int) -> Bool {
        let passing = group.ranges.count { $0.referrer == .passing }
        guard group.ranges.count - passing >= Self.fewest,
            passing <= min(Self.mostPassing, group.ranges.count / 4)
        else { return false }
        return group.kind != .mapped || group.ranges.count > threads
            || group.ranges.contains { $0.end - $0.start > Self.signalStackBytes }
    }

    private func finding(_ group: Group, _ maps: [ResidentMapRecord]) -> AnalyzedFinding {
        let symbols = symbolicator.stack(group.ranges[0].stack)
        let maker = Signature.innermostMaker(of: symbols)
        let resident = group.ranges.map(\.resident).clampedSum
        let cause: Finding.Cause
        if group.kind == .mapped {
            let starts = Set(group.ranges.map(\.start))
            let paths = Set(maps.filter { starts.contains($0.start) }.map(\.path))
            cause = .lostMappings(path: paths.count == 1 ? paths.first : nil, maker: maker, resident: resident)
        } else {
            cause = .unjoinedThreads(maker: maker, resident: resident)
        }
        var finding = AnalyzedFinding(
            cause, remedy: group.kind == .mapped ? .unmap(maker: maker) : .joinOrDetach(maker: maker),
            severity: .warning,
            signature: group.signature, type: (group.kind == .mapped ? ObjectNoun.mapping : .thread).rawValue)
        finding.facts.count = group.ranges.count
        finding.facts.bytes = group.ranges.map { $0.end - $0.start }.clampedSum
        finding.facts.allocatedBy = CallStack(symbols)
        return finding
    }
}
