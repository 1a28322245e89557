import GameprofBasics
import GameprofTrace

/// From what accumulates to findings: one for each of the user's functions that makes it, with what is made along with it.
struct GrowthFinder {
    let recording: Recording
    let symbolicator: any Symbolicating

    private struct Group {
        var makers: [String]
        var stack: SymbolicatedStack
        var members: [GrowthCandidate]
        /// Of other makers, held by the same collection.
        var besides: [GrowthCandidate] = []
    }

    /// More stacks than this are not looked at; those with the most bytes are.
    private static let stackLimit = 256

    /// The findings, the most bytes first. `others`: what is found already; what is lost for good is not told again.
    /// Without marks only what the living heap shows to be an accumulation is growth.
    func findings(besides others: [Finding]) -> [AnalyzedFinding] {
        let lost = others.filter { $0.severity == .error }
        let lostMakers = Set(lost.flatMap { $0.allocatedBy?.frames.map(\.function) ?? [] })
        let lostTypes = Set(lost.flatMap { [$0.type] + $0.objects.keys })
        let isRepeated = RepetitionGrowth.canEvaluate(recording.heapSnapshots)
        let accumulations = Set(others.filter { $0.kind == .accumulation }.compactMap { Self.collection($0.heldBy) })
        guard isRepeated || !accumulations.isEmpty else { return [] }
        let candidates = isRepeated ? RepetitionGrowth.candidates(in: recording.heapSnapshots) : runCandidates
        let chosen = candidates.prefix(Self.stackLimit)
        guard !chosen.isEmpty else { return [] }
        symbolicator.prepare(stacks: Set(chosen.map(\.stack)), addresses: [])
        let holders = GrowthHolders(recording: recording, symbolicator: symbolicator)
        var groups: [Group] = []
        for candidate in chosen { add(candidate, to: &groups) }
        // What is abandoned grows too, and there it is known who could end it.
        let abandoned = Set(others.filter { $0.kind == .abandoned }.map(\.type))
        let found = fold(groups).filter { group in
            !abandoned.contains(name(principal(of: group).type))
                && !group.members.contains { lostTypes.contains(name($0.type)) && TypeName.isUsers(name($0.type)) }
                && !group.makers.contains(where: lostMakers.contains)
        }
        // Without marks the curve alone says too little: data that is built until the program ends grows as evenly.
        return join(found, holders: holders).map { finding($0, holders: holders) }
            .filter { isRepeated || Self.collection($0.facts.heldBy).map(accumulations.contains) ?? false }
            .sorted { ($0.facts.bytes, $1.facts.signature) > ($1.facts.bytes, $0.facts.signature) }
    }

    /// The root of a way, and the field behind it that is a collection.
    static func collection(_ way: [String]?) -> [String]? {
        guard let way, way.count > 2 else { return nil }
        let field = NameTokens.prefix(of: way[1][...], before: "[")
        return field == way[1] ? nil : [way[0], String(field)]
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
        stack.frames.first { !$0.isRuntimeSupport }?.function == "_dispatch_continuation_alloc_from_heap"
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

    /// One collection that grows is one finding, however many functions fill it: that of the group with the shortest way
    /// from the collection.
    private func join(_ groups: [Group], holders: GrowthHolders) -> [Group] {
        var joined: [Group] = []
        var placeOf: [[String]: Int] = [:]
        let ways = groups.map { holders.holders(of: principal(of: $0)) }
        let order = groups.indices.sorted {
            (ways[$0].count, groups[$0].makers.joined()) < (ways[$1].count, groups[$1].makers.joined())
        }
        for index in order {
            // The root, and the field of its object that is the collection.
            let collection = Array(ways[index].prefix(2))
            if collection.count == 2, collection[1].hasSuffix("[…]"), let place = placeOf[collection] {
                joined[place].besides += groups[index].members
            } else {
                if collection.count == 2 { placeOf[collection] = joined.count }
                joined.append(groups[index])
            }
        }
        return joined
    }

    /// What the finding speaks of: the most bytes of a type of the user's, if there is one.
    private func principal(of group: Group) -> GrowthCandidate {
        let users = group.members.filter { TypeName.isUsers(name($0.type)) }
        let named = group.members.filter { !$0.type.isNone }
        let pool = users.isEmpty ? named.isEmpty ? group.members : named : users
        return pool.max { ($0.bytes, $1.stack) < ($1.bytes, $0.stack) } ?? group.members[0]
    }

    private func finding(_ group: Group, holders: GrowthHolders) -> AnalyzedFinding {
        let principal = principal(of: group)
        let type = name(principal.type)
        var hash = StableHash()
        for word in [Finding.Kind.growth.rawValue, type] + group.makers.map(FunctionName.unnumbered) {
            hash.combine(word)
        }
        var finding = AnalyzedFinding(
            .growth, remedy: .boundGrowth, severity: .warning, signature: hash.value.hexDigits, type: type)
        // One function may make them in several places: an unrolled loop is three.
        let alike = group.members.filter { name($0.type) == type && $0.scenario == principal.scenario }
        finding.facts.count = alike.reduce(into: 0) { $0.add(clamping: $1.count) }
        finding.facts.bytes = (group.members + group.besides).reduce(0) { $0 &+ $1.bytes }
        for member in group.members + group.besides {
            finding.facts.objects[name(member.type), default: 0].add(clamping: member.count)
        }
        finding.facts.allocatedBy = CallStack(symbolicator.stack(principal.stack))
        finding.facts.growth = Finding.Growth(
            perRepetition: principal.perRepetition.map { _ in alike.compactMap(\.perRepetition).reduce(0, +) },
            repetitions: principal.repetitions, scenario: principal.scenario)
        let way = holders.holders(of: principal)
        finding.facts.heldBy = way.isEmpty ? nil : way
        return finding
    }

    private func name(_ type: TypeID) -> String { TypeNames.name(type, in: recording.types) }
}
