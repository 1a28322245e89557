import TraceFile

/// From what accumulates to findings: one for each of the user's functions that makes it, with what is made along with it.
struct GrowthFinder {
    let recording: Recording
    let symbolicator: any Symbolicating

    private struct Group {
        var makers: [String]
        var stack: SymbolicatedStack
        var members: [GrowthCandidate]
    }

    /// More stacks than this are not looked at; those with the most bytes are.
    private static let stackLimit = 256

    /// The findings, the most bytes first. `others`: what is found already; what is lost for good is not told again.
    func findings(besides others: [Finding]) -> [Finding] {
        let lost = others.filter { $0.severity == .error }
        let lostMakers = Set(lost.flatMap { $0.allocatedBy?.frames.map(\.function) ?? [] })
        let lostTypes = Set(lost.flatMap { [$0.type] + $0.objects.keys })
        let candidates =
            RepetitionGrowth.canJudge(recording.heapSnapshots)
            ? RepetitionGrowth.candidates(in: recording.heapSnapshots) : runCandidates
        let chosen = candidates.prefix(Self.stackLimit)
        guard !chosen.isEmpty else { return [] }
        symbolicator.prepare(stacks: Set(chosen.map(\.stack)), addresses: [])
        let holders = GrowthHolders(recording: recording, symbolicator: symbolicator)
        var groups: [Group] = []
        for candidate in chosen { add(candidate, to: &groups) }
        return fold(groups).filter { group in
            !group.members.contains { lostTypes.contains(name($0.type)) && TypeName.isUsers(name($0.type)) }
                && !group.makers.contains(where: lostMakers.contains)
        }
        .map { finding($0, holders: holders) }.sorted { ($0.bytes, $1.signature) > ($1.bytes, $0.signature) }
    }

    private var runCandidates: [GrowthCandidate] {
        recording.allocations.growth.map { row in
            GrowthCandidate(stack: row.stack, type: row.type, count: row.count, bytes: row.bytes)
        }
    }

    /// Code that is not the user's grows on its own terms and can be changed by nobody here.
    private func add(_ candidate: GrowthCandidate, to groups: inout [Group]) {
        let stack = symbolicator.stack(candidate.stack)
        guard stack.frames.contains(where: { $0.origin == .user }), !Self.isKeptForReuse(stack) else { return }
        let makers = Signature.makers(of: stack)
        if let known = groups.firstIndex(where: { $0.makers == makers }) {
            groups[known].members.append(candidate)
        } else {
            groups.append(Group(makers: makers, stack: stack, members: [candidate]))
        }
    }

    /// libdispatch keeps the continuations of what was queued in lists of its threads, 1,024 in each: those of a thread that
    /// queues little and runs much fill up for long. What waits in a queue is told by the closures that wait.
    private static func isKeptForReuse(_ stack: SymbolicatedStack) -> Bool {
        stack.frames.first { !$0.isPlumbing }?.function == "_dispatch_continuation_alloc_from_heap"
    }

    /// What holds none of the user's types goes with the group whose maker stands on its stack.
    private func fold(_ groups: [Group]) -> [Group] {
        var kept = groups.filter { $0.members.contains { TypeName.isUsers(name($0.type)) } }
        for group in groups where !group.members.contains(where: { TypeName.isUsers(name($0.type)) }) {
            let callers = group.stack.frames.filter { $0.origin == .user }.map(\.function)
            let owner = callers.lazy.compactMap { caller in kept.firstIndex { $0.makers == [caller] } }.first
            if let owner {
                kept[owner].members += group.members
            } else {
                kept.append(group)
            }
        }
        return kept
    }

    private func finding(_ group: Group, holders: GrowthHolders) -> Finding {
        let users = group.members.filter { TypeName.isUsers(name($0.type)) }
        let named = group.members.filter { !$0.type.isNone }
        let pool = users.isEmpty ? named.isEmpty ? group.members : named : users
        let principal = pool.max { ($0.bytes, $1.stack) < ($1.bytes, $0.stack) } ?? group.members[0]
        let type = name(principal.type)
        var hash = StableHash()
        for word in [Finding.Kind.growth.rawValue, type] + group.makers.map(FunctionName.unnumbered) {
            hash.combine(word)
        }
        var finding = Finding(
            kind: .growth, severity: .warning, signature: hash.value.hexDigits,
            title: "Grows, still reachable: \(TypeName.bare(type))", type: type)
        // One function may make them in several places: an unrolled loop is three.
        let alike = group.members.filter { name($0.type) == type && $0.scenario == principal.scenario }
        finding.count = alike.reduce(into: 0) { $0.add(clamping: $1.count) }
        finding.bytes = group.members.reduce(0) { $0 &+ $1.bytes }
        for member in group.members { finding.objects[name(member.type), default: 0].add(clamping: member.count) }
        finding.allocatedBy = CallStack(symbolicator.stack(principal.stack))
        finding.growth = Finding.Growth(
            perRepetition: principal.perRepetition.map { _ in alike.compactMap(\.perRepetition).reduce(0, +) },
            repetitions: principal.repetitions, scenario: principal.scenario)
        finding.message = sentence(finding)
        let way = holders.holders(of: principal)
        finding.heldBy = way.isEmpty ? nil : way
        finding.fix = "throw old ones away, bound the collection that keeps them, or remove the observer"
        return finding
    }

    private func sentence(_ finding: Finding) -> String {
        let type = TypeName.bare(finding.type)
        guard let rate = finding.growth?.perRepetition else {
            return "\(type) accumulates over the whole run: \(Quantity.count(finding.count)) were added after the "
                + "warm-up and none of them went."
        }
        let scenario = finding.growth?.scenario ?? "the scenario"
        return "\(MeasureUnit.count.text(rate)) more \(type) lived after each repetition of \(scenario)."
    }

    private func name(_ type: TypeID) -> String { AllocationRows.name(type, in: recording) }
}
