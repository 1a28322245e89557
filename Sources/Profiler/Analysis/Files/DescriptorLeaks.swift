import GameprofBasics
import GameprofTrace

/// Descriptors that are lost: not each that is open at the end, but those of which the run shows that nobody will close them.
///
/// Open at the end are the pools, listeners and caches of every server. Evidence is one of two: the program could open no more
/// since the descriptors of one stack had used them up; or one stack opens files again and again, those that are open become
/// more until the end, and each was last used before the next was opened, so that the program has gone on without it. Where most
/// of them are closed, that happens soon after they were opened: pools and caches close what was open for long.
struct DescriptorLeaks {
    let builder: FileSectionBuilder
    /// Nanoseconds.
    let span: UInt64

    /// Fewer than these may be a program's own choice.
    private static let fewest = 8
    /// Of the descriptors that a stack opened so many are still open.
    private static let openShare = 0.5
    /// Shares of the time for which the open descriptors have been open. Where closing is the rule, the closed ones were open for at
    /// most the first; where descriptors come and go, for at least the second.
    private static let (soon, comingAndGoing) = (0.25, 1.0)
    private static let unusedShare = 0.9
    private static let fewestExhausting = 16
    /// So many are evidence too where the run went on after the last.
    private static let fewestRepeated = 20
    /// Nanoseconds from one opening to the next, as a rule: what a program opens in a loop at its start comes faster.
    private static let pause: UInt64 = 500_000
    /// Of the time from the first opening to the end: what is opened at the start takes less. A connection whose peer sends no
    /// more was not opened for later.
    private static let (repeatedShare, hungUpShare) = (1.0 / 3, 0.125)

    func findings() -> [AnalyzedFinding] {
        let groups = OpenGroup.groups(of: builder.uses, builder.symbolicator)
        let isExhausted = builder.uses.tallies.contains { $0.value.exhausted > 0 }
        let open = groups.reduce(0) { $0 + $1.members.count }
        let found = groups.compactMap { group -> (OpenGroup, Bool)? in
            let exhausts =
                isExhausted && group.members.count >= Self.fewestExhausting && group.members.count * 2 >= open
            return exhausts || isLost(group) ? (group, exhausts) : nil
        }
        // Stacks that differ outside the user's functions are one defect.
        var joined: [(group: OpenGroup, exhausts: Bool, signature: String)] = []
        for (group, exhausts) in found {
            let signature = Signature.of(
                kind: .descriptorLeak, madeBy: builder.symbolicator.stack(group.stack))
            if let place = joined.firstIndex(where: { $0.signature == signature }) {
                joined[place].group.add(group)
                joined[place].exhausts = joined[place].exhausts || exhausts
            } else {
                joined.append((group, exhausts, signature))
            }
        }
        return joined.map(finding)
    }

    /// A connection may be silent, and a queue or a timer is not read: only files are judged by their use, and connections whose
    /// peer sends no more.
    private func isLost(_ group: OpenGroup) -> Bool {
        let members = group.members
        let areFiles = members.allSatisfy { builder.kind($0.file) == .file }
        let closedAge = closedAge(group)
        if areFiles, let closedAge, closedAge >= Self.comingAndGoing, !isShared(group) { return false }
        let closesSoon = closedAge.map { $0 <= Self.soon } ?? false
        guard members.count >= Self.fewest,
            Double(members.count) >= Self.openShare * Double(group.opened)
                || closesSoon && members.count >= Self.fewestRepeated,
            areFiles || Double(members.count(where: \.hasPeerClosed)) >= Self.unusedShare * Double(members.count),
            growsToTheEnd(members) || isRepeated(members, share: areFiles ? Self.repeatedShare : Self.hungUpShare)
        else { return false }
        // What was never read or written may be used otherwise: mapped or listed. It is not where others are read or written, and
        // closed at once.
        let areUsed =
            closesSoon && areFiles
            && builder.uses.tallies.keys.contains { key in
                (key.operation == .read || key.operation == .write) && group.files.contains(key.file)
            }
        let unused = zip(members, members.dropFirst()).count { ($0.used > 0 || areUsed) && $0.used <= $1.opened }
        return Double(unused) >= Self.unusedShare * Double(members.count - 1)
    }

    /// Whether another stack opens its files, too: for how long each kept them open is not known.
    private func isShared(_ group: OpenGroup) -> Bool {
        builder.uses.tallies.keys.contains { key in
            key.operation == .open && key.stack != group.stack && group.files.contains(key.file)
        }
    }

    /// How long those that the stack closed were open, of the time for which the others have been open, on average. All that was
    /// closed of its files counts as closed by it. Nil: it closed hardly any, or that is not known.
    private func closedAge(_ group: OpenGroup) -> Double? {
        let closed = group.opened - min(group.opened, UInt64(group.members.count))
        let files = group.files.union(group.members.map(\.file))
        guard closed >= Self.fewest, !files.contains(where: { builder.uses.renamed[$0] != nil }) else { return nil }
        let lifetimes = files.reduce(into: 0.0) { $0 += Double(builder.uses.lifetimes[$1] ?? 0) }
        let ages = group.members.reduce(into: 0.0) { $0 += Double(span - min(span, $1.opened)) }
        guard lifetimes > 0, ages > 0 else { return nil }
        return lifetimes / Double(closed) / (ages / Double(group.members.count))
    }

    /// Some were opened in each half of the time from the first to the end of the run, and some in its last quarter.
    private func growsToTheEnd(_ members: [OpenFileRecord]) -> Bool {
        guard let first = members.first?.opened, let last = members.last?.opened, last < span else { return false }
        let length = span - first
        let middle = first + length / 2
        return last >= span - length / 4 && members.count { $0.opened < middle } >= Self.fewest / 4
            && members.count { $0.opened >= middle } >= Self.fewest / 4
    }

    /// However long the run went on: what is opened together at the start may be kept for later.
    private func isRepeated(_ members: [OpenFileRecord], share: Double) -> Bool {
        guard members.count >= Self.fewestRepeated else { return false }
        let pauses = zip(members, members.dropFirst()).map { $1.opened - $0.opened }.sorted()
        guard pauses[pauses.count / 2] >= Self.pause else { return false }
        let (first, last) = (members[0].opened, members[members.count - 1].opened)
        return Double(last - first) >= share * Double(span - min(span, first))
    }

    private func finding(_ group: OpenGroup, exhausts: Bool, signature: String) -> AnalyzedFinding {
        let symbols = builder.symbolicator.stack(group.stack)
        let maker = Signature.innermostMaker(of: symbols)
        var finding = AnalyzedFinding(
            .unclosedDescriptors(
                files: builder.names(of: group), opened: group.opened, maker: maker, exhausts: exhausts),
            remedy: .closeDescriptor(openedIn: maker), severity: .warning, signature: signature,
            type: ObjectNoun.descriptor.rawValue)
        finding.facts.count = group.members.count
        finding.facts.allocatedBy = CallStack(symbols)
        finding.facts.firstSeenSeconds = Seconds.of(group.members[0].opened)
        return finding
    }
}
