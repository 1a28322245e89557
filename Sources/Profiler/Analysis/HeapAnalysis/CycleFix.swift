import GameprofBasics

/// What must change for all cycles of a row to go.
struct CycleFix {
    /// A reference that must go, on a cycle that it is part of.
    struct Part {
        var steps: [PathStep]
        var suspect: WeakeningCandidate
        /// The property that leads to a closure or a task goes, not what that captures.
        var isHolder = false
        /// Without that property the cycles go as well.
        var holderDoesIt = false
        /// To clear what it leads through does it as well: a way back of several objects may own them.
        var collection: PathStep?
        /// To clear the property of that step does it as well, where its own cannot be cleared.
        var elsewhere: PathStep?
        /// References of a library, which only a call makes go.
        var isLibrarys = false
        /// The only reference to what it keeps, as a rule: weak, it would lose that at once.
        var owns = false
        /// A task must end. What it waits for, as far as is known; `function`: its code, 0: not known.
        var wait: (sources: [Finding.Wait], function: UInt64)?

        var step: PathStep { steps[suspect.step] }
        fileprivate var rank: Int {
            isHolder && suspect.reason != .taskWaits ? -1 : WeakeningCandidate.rank(suspect.reason)
        }
    }

    /// The most natural one first.
    var parts: [Part]
    var changes: [Int32] = []
    /// The rows whose changes are needed as well, because they hold what this one has.
    var together: [Int] = []
    /// What is freed, of all objects of the row.
    var freed: [Int32]
    /// All objects of the cycles are freed.
    var isProved: Bool
    /// They are freed if the library takes apart what its references alone hold.
    var isSure: Bool
    /// A task must end that may do so by itself: a deinit that the other changes bring about finishes its stream.
    var mayEndWait: Bool
    /// The first part of each other set of as many references that would do as well.
    var equals: [Part]
}

/// Looks for the references that must go, and proves it on every instance.
struct CycleFixes {
    private let paths: PathBuilder
    private var proof: FixProof
    private let wasMade: (Int32, String) -> Bool
    private var owning: Set<Int32> = []
    /// Properties of the user's that are collections, and those of which the graph shows that they own their target.
    private var (collections, keepers): (Set<Int32>, Set<Int32>) = ([], [])
    private let rows: [[HeapFinding]]
    /// Instances of other shapes that a search takes in.
    private static let shapes = 8
    /// Rows that are tried together with others, and others that a fix may name.
    private static let (tries, others) = (16, 3)

    /// `rows`: the instances of each. `isForeign`: whether a module of that name is of another package. `wasMade`: whether an
    /// object was allocated inside a member of the type with that bare name.
    init(
        _ rows: [[HeapFinding]], paths: PathBuilder, proof: FixProof, isForeign: @escaping (String) -> Bool,
        wasMade: @escaping (Int32, String) -> Bool
    ) {
        (self.rows, self.paths, self.proof, self.wasMade) = (rows, paths, proof, wasMade)
        var changes = SourceChanges(paths: paths, isForeign: isForeign, wasMade: wasMade)
        let waits = proof.waits
        self.proof.begin(
            rows.joined().map(\.members), endOf: { changes.number(of: $0, waits) }, changeOf: { changes.number(of: $0) }
        )
        (owning, collections) = (changes.owning, changes.collections)
        keepers = self.proof.keepers(among: rows.joined().map(\.members))
    }

    /// By row; nil: none was found.
    mutating func all() -> [CycleFix?] {
        var result: [CycleFix?] = []
        for row in rows { result.append(row.isEmpty ? nil : fix(of: row)) }
        let open = result.indices.filter { result[$0].map { !$0.isSure && !$0.changes.isEmpty } ?? false }
        guard !open.isEmpty else { return result }
        let tried = open.prefix(Self.tries)
        let holders = proof.holders(of: rows.map { $0.flatMap { $0.members + $0.dependents } }, for: tried)
        for row in tried where holders[row]!.count <= Self.tries && !proof.isSpent {
            join(row, with: holders[row]!.sorted(), &result)
        }
        return result
    }

    /// What another row holds is freed when that one is: by the same changes, or by its own.
    private mutating func join(_ row: Int, with holders: [Int], _ fixes: inout [CycleFix?]) {
        let instances = rows[row].map(\.members)
        let own = fixes[row]!.changes
        func changes(_ others: [Int]) -> [Int32] { own + others.flatMap { fixes[$0]?.changes ?? [] } }
        var others = holders
        guard Self.contains(proof.freed(by: changes(others)), all: instances) else { return }
        for other in holders where !proof.isSpent {
            let fewer = others.filter { $0 != other }
            if Self.contains(proof.freed(by: changes(fewer)), all: instances) { others = fewer }
        }
        guard others.count <= Self.others, !proof.isSpent else { return }
        let objects = Set(rows[row].flatMap { $0.members + $0.dependents })
        let all = changes(others)
        fixes[row]!.together = others
        fixes[row]!.freed = proof.freed(by: all).filter(objects.contains)
        (fixes[row]!.isProved, fixes[row]!.isSure) = (true, true)
        fixes[row]!.mayEndWait = proof.required(by: instances).contains { wait in
            proof.freed(by: all.filter { $0 != wait }).contains { objects.contains($0) && paths.roles[$0] != .raw }
        }
    }

    /// The smallest set that makes the cycles go, of those the one whose references look most like back references; what
    /// owns its target is taken only if nothing else does it, collections first where they do. nil: the bound was met,
    /// or `FixProof.most` references are not enough.
    /// Linear in the row for each set that is tried.
    private mutating func fix(of row: [HeapFinding]) -> CycleFix? {
        let instances = row.map(\.members)
        let (owning, collections, keepers) = (owning, collections, keepers)
        var searched = [instances[0]]
        for _ in 0..<Self.shapes {
            var sets: [[Int32]] = []
            let natural: (Int32) -> Bool = { !owning.contains($0) }
            var tiers = [natural, { _ in true }]
            if !keepers.isEmpty {
                let isCleared = collections.contains
                if !proof.smallest(untying: searched, first: row[0].cycle, isAllowed: isCleared).isEmpty {
                    tiers = [{ natural($0) && !keepers.contains($0) }, isCleared] + tiers
                }
            }
            for isAllowed in tiers where sets.isEmpty && !proof.isSpent {
                sets = proof.smallest(untying: searched, first: row[0].cycle, isAllowed: isAllowed)
            }
            guard !proof.isSpent else { return nil }
            if sets == [[]] { return libraryCall(row[0].cycle) }
            let candidates = sets.map { set in (set, set.compactMap { part($0, on: proof.examples[$0] ?? []) })
            }
            .filter { !$0.0.isEmpty && $0.0.count == $0.1.count }
            guard let best = candidates.min(by: { Self.isBetter($0.1, $1.1) }) else { return nil }
            if let knot = proof.knot(in: instances, after: best.0) {
                searched.append(instances[knot])
                continue
            }
            guard !proof.isSpent else { return nil }
            var parts = best.1
            for index in parts.indices { parts[index].owns = owning.contains(best.0[index]) }
            for index in parts.indices
            where parts[index].step.isCapture && !parts[index].isHolder && parts[index].wait == nil {
                let others = best.0.filter { $0 != best.0[index] }
                let holder = parts[index].step.edges.first.map(proof.changeOf) ?? -1
                // A closure that captures one object alone has no reference of its own between property and object.
                parts[index].holderDoesIt =
                    holder == best.0[index]
                    ? proof.isOneProperty(holder, in: instances)
                    : holder > SourceChanges.librarys && proof.knot(in: instances, after: others + [holder]) == nil
                        && !proof.isSpent
            }
            if parts.count == 1, parts[0].step.isCapture, !parts[0].holderDoesIt || parts[0].step.clearable == nil {
                parts[0].elsewhere = parts[0].steps.first { step in
                    let change = step.edges.first.map(proof.changeOf) ?? -1
                    return change > SourceChanges.librarys && step.clearable.map { $0.form != .unknown } == true
                        && proof.knot(in: instances, after: [change]) == nil && !proof.isSpent
                }
            }
            if parts.count == 1, parts[0].suspect.reason == .pointsBackFromElement, parts[0].steps.count > 2 {
                parts[0].collection = parts[0].steps.first { step in
                    let change = step.edges.first.map(proof.changeOf) ?? -1
                    return collections.contains(change) && proof.knot(in: instances, after: [change]) == nil
                        && !proof.isSpent
                }
            }
            let objects = row.flatMap { $0.members + $0.dependents }
            let freed = proof.freed(among: objects, by: best.0)
            let mayEndWait = proof.required(by: instances).contains { wait in
                proof.freed(among: objects, by: best.0.filter { $0 != wait }).contains { paths.roles[$0] != .raw }
            }
            let withLibrarys = proof.freed(among: objects, by: best.0 + [SourceChanges.librarys])
            return CycleFix(
                parts: parts.sorted { Self.isBetter([$0], [$1]) }, changes: best.0, freed: freed,
                isProved: Self.contains(freed, all: instances),
                isSure: Self.contains(withLibrarys, all: instances), mayEndWait: mayEndWait,
                equals: candidates.filter { $0.0 != best.0 }.compactMap(\.1.first)
                    .sorted { $0.step.shape < $1.step.shape })
        }
        return nil
    }

    private static func contains(_ freed: [Int32], all instances: [[Int32]]) -> Bool {
        let freed = Set(freed)
        return instances.allSatisfy { $0.allSatisfy(freed.contains) }
    }

    /// For a cycle in which nothing is the user's to change.
    private func libraryCall(_ cycle: [Int32]) -> CycleFix? {
        part(SourceChanges.librarys, on: cycle).map {
            CycleFix(parts: [$0], freed: [], isProved: false, isSure: true, mayEndWait: false, equals: [])
        }
    }

    private func part(_ change: Int32, on cycle: [Int32]) -> CycleFix.Part? {
        let steps = paths.cycle(cycle)
        guard
            let index = steps.firstIndex(where: { $0.edges.contains { proof.changeOf($0) == change } }),
            let edge = steps[index].edges.first(where: { proof.changeOf($0) == change })
        else { return nil }
        let step = steps[index]
        let reason = WeakeningCandidate.reason(
            for: step, hasCollection: steps.contains(where: \.goesThroughCollection), madeBy: wasMade)
        let isProperty = paths.roles[paths.graph.edges[Int(edge)].from] == .user
        let wait = proof.wait(endedBy: change)
        return CycleFix.Part(
            steps: steps, suspect: WeakeningCandidate(step: index, reason: reason),
            isHolder: wait == nil && isProperty && (step.isCapture || step.goesThroughTask) && edge != step.edges.last,
            isLibrarys: change == SourceChanges.librarys, wait: wait)
    }

    /// The order of single suspects, summed up.
    private static func isBetter(_ left: [CycleFix.Part], _ right: [CycleFix.Part]) -> Bool {
        func cost(_ parts: [CycleFix.Part]) -> (Int, Int, Int) {
            (
                parts.reduce(0) { $0 - $1.rank },
                // An optional can be made weak and stays what it is.
                parts.count { !$0.step.isCapture && $0.step.isOptional == false },
                parts.count { !$0.step.isPlainProperty }
            )
        }
        let (first, second) = (cost(left), cost(right))
        if first != second { return first < second }
        let shapes = [left, right].map { $0.map(\.step.shape).sorted(by: >) }
        return shapes[1].lexicographicallyPrecedes(shapes[0])
    }
}
