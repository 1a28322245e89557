import GameprofBasics
import GameprofTrace

/// Makes one row of all findings with the same signature.
struct Grouping {
    private let graph: HeapGraph
    private let weights: SampleWeights
    private let roles: ObjectRoles
    private let paths: PathBuilder
    private let symbolicator: any Symbolicating
    private let histories: RetainHistoryBuilder?
    private let isKnown: (Finding) -> Bool
    private let isWhole: Bool
    private let unreturned: UnreturnedFunctions
    private let waiting: WaitingFunctions
    private let proof: FixProof
    private let knot: Knot
    private let releasing: ReleasingCall
    private var countedByHand = CountedByHand()
    private var groups: [String: Group] = [:]
    /// Cycles up to this length are drawn step by step even when their steps repeat.
    private static let drawnWhole = 3
    /// Members of a cycle whose makers are looked up.
    private static let namedMost = 4096
    private var signatures: [Int32: String] = [:]
    private var loneSignatures: [LoneKey: String] = [:]
    private var cycleSignatures: [UInt64: String] = [:]

    private struct Group {
        var first: HeapFinding
        /// Of cycles that are lost: all of them.
        var instances: [HeapFinding] = []
        /// One instance of each kind of task that waits; empty: they are no tasks.
        var tasks: [WaitingTask: HeapFinding] = [:]
        var count = 0.0
        var bytes = 0.0
        var objects: [TypeOfObject: Double] = [:]
        var stacks: [StackID: Int] = [:]

        var alike: [HeapFinding] { instances.isEmpty ? [first] : instances }
    }

    private struct LoneKey: Hashable {
        var kind: HeapFinding.Kind
        var type: String
        var stack: StackID
        /// The functions in which a task waits; empty: it is no task, or they are not known.
        var waiting: [String] = []
    }

    private struct WaitingTask: Hashable {
        var stack: StackID
        var place: WaitingFunctions.Place?
        /// With which it began.
        var function: UInt64
    }

    private struct TypeOfObject: Hashable {
        var type: TypeID
        var role: ObjectRole
    }

    init(
        graph: HeapGraph, weights: SampleWeights, roles: ObjectRoles, paths: PathBuilder, proof: FixProof,
        knot: Knot, frees: [StackID: StackID], unreturned: UnreturnedFunctions, waiting: WaitingFunctions,
        symbolicator: any Symbolicating, histories: RetainHistoryBuilder?, isWhole: Bool,
        isKnown: @escaping (Finding) -> Bool
    ) {
        self.isKnown = isKnown
        self.isWhole = isWhole
        (self.unreturned, self.waiting) = (unreturned, waiting)
        self.histories = histories
        self.graph = graph
        self.weights = weights
        self.roles = roles
        self.paths = paths
        self.proof = proof
        self.knot = knot
        releasing = ReleasingCall(frees: frees, symbolicator: symbolicator)
        self.symbolicator = symbolicator
    }

    /// Orders findings by what they are and not by where they lie: cycles first, then signatures.
    mutating func sort(_ findings: inout [HeapFinding]) {
        let keyed = findings.map { (Self.rank($0.kind), signature(of: $0), $0) }
        findings = keyed.sorted { left, right in
            (left.0, left.1, left.2.members[0]) < (right.0, right.1, right.2.members[0])
        }.map(\.2)
    }

    private static func rank(_ kind: HeapFinding.Kind) -> Int {
        switch kind {
        case .retainCycle: 0
        case .overRetain: 1
        case .leak: 2
        case .rawLeak: 3
        case .reachableCycle: 4
        }
    }

    /// Counts one instance.
    mutating func add(_ finding: HeapFinding) {
        let signature = rowSignature(of: finding)
        var group = groups[signature] ?? Group(first: finding)
        if finding.kind == .retainCycle { group.instances.append(finding) }
        if let task = waitingTask(finding), group.tasks[task] == nil { group.tasks[task] = finding }
        group.count += instances(of: finding)
        for position in finding.members + finding.dependents {
            let object = graph.object(position)
            group.bytes += weights.bytes(of: object)
            group.objects[TypeOfObject(type: object.type, role: roles[position]), default: 0] += weights.count(
                of: object)
        }
        if let stack = stack(of: finding) { group.stacks[stack, default: 0] += 1 }
        groups[signature] = group
    }

    /// A word of lost memory without a type may name a large block by chance: such blocks of one maker count alike, whichever of them
    /// seems to hold the others.
    private func instances(of finding: HeapFinding) -> Double {
        let subject = graph.object(subject(of: finding))
        let own = weights.count(of: subject)
        guard finding.kind == .rawLeak, !subject.stack.isNone else { return own }
        return finding.dependents.lazy.map { graph.object($0) }
            .filter { $0.type == subject.type && $0.stack == subject.stack && $0.size >= Self.largeBlock }
            .reduce(own) { $0 + weights.count(of: $1) }
    }

    private static let largeBlock: UInt64 = 64 << 10

    /// One row per signature.
    mutating func findings() -> [AnalyzedFinding] {
        let rows = groups.sorted { $0.key < $1.key }
        let fixes = fixes(of: rows.map(\.value.instances))
        return zip(rows, fixes).map { next, fix in
            var row = row(next.value, fix: fix, signature: next.key)
            if let others = fix?.together, !others.isEmpty {
                row.facts.fixFrees?.with = others.map { String(rows[$0].key.prefix(8)) }
            }
            return row
        }
    }

    /// The object that the finding is about: where the suspect reference of a cycle leads, else the object itself.
    private func subject(of finding: HeapFinding) -> Int32 {
        finding.cycle.last.map { graph.edges[Int($0)].to } ?? finding.members[0]
    }

    /// The stack that allocated the subject; of another object on the cycle when that one has none.
    private func stack(of finding: HeapFinding) -> StackID? {
        let others = finding.cycle.map { graph.edges[Int($0)].from }
        let stacks = ([subject(of: finding)] + others).lazy.map { graph.object($0).stack }
        return stacks.first { !$0.isNone }
    }

    private mutating func rowSignature(of finding: HeapFinding) -> String {
        let own = signature(of: finding)
        return finding.keeps.map { Signature.of(own, keeping: roles.typeName($0)) } ?? own
    }

    private mutating func signature(of finding: HeapFinding) -> String {
        let member = finding.members[0]
        if let known = signatures[member] { return known }
        let signature: String
        if finding.cycle.isEmpty {
            let key = LoneKey(
                kind: finding.kind, type: roles.typeName(member), stack: graph.object(member).stack,
                waiting: waiting.place(at: graph.object(member).address)?.functions ?? [])
            // Where a task waits is known of each process, who made it only of a recorded one.
            signature =
                loneSignatures[key]
                ?? Signature.of(
                    kind: key.kind, type: key.type,
                    madeIn: key.waiting.isEmpty
                        ? Signature.makers(of: symbolicator.stack(key.stack)) : key.waiting)
            loneSignatures[key] = signature
        } else {
            let key = blockShape(of: finding)
            signature =
                cycleSignatures[key]
                ?? Signature.of(kind: finding.kind, cycle: PathFolding.fold(steps(of: finding)))
            cycleSignatures[key] = signature
        }
        signatures[member] = signature
        return signature
    }

    /// The steps of the finding's cycle. Of one that is known to be a library's, the user's classes stand as the library's
    /// that they inherit from: it is the same defect in each of them.
    private func steps(of finding: HeapFinding) -> [PathStep] {
        let steps = paths.cycle(finding.cycle)
        guard finding.tiedBy == .library else { return steps }
        var asLibrarys = steps
        for index in steps.indices { asLibrarys[index].from = steps[index].declaredIn ?? steps[index].from }
        for index in steps.indices {
            asLibrarys[index].to = asLibrarys[(index + 1) % steps.count].from
            asLibrarys[index].declaredIn = nil
        }
        var provisional = Finding(kind: .retainCycle, signature: "", title: "", type: asLibrarys.first?.from ?? "")
        provisional.tiedByLibrary = true
        provisional.references = asLibrarys.map { $0.reference(symbolicator) }
        return isKnown(provisional) ? asLibrarys : steps
    }

    /// Equal for cycles of equal blocks within this snapshot: spares naming each of ten thousand copies.
    private func blockShape(of finding: HeapFinding) -> UInt64 {
        var hash = StableHash()
        hash.combine(UInt64(finding.cycle.count))
        for position in finding.cycle {
            let edge = graph.edges[Int(position)]
            hash.combine(UInt64(graph.object(edge.from).type.rawValue) << 32 | UInt64(UInt32(bitPattern: edge.label)))
            hash.combine(UInt64(edge.kind.rawValue) << 8 | UInt64(edge.ownership.rawValue))
            hash.combine(edge.function)
            hash.combine(roles[edge.from] == .closure ? paths.contexts.function(of: edge.from) : 0)
        }
        return StableHash.mix(
            hash.value &+ (finding.kind == .reachableCycle ? 1 : 0) &+ (finding.tiedBy == .library ? 2 : 0))
    }

    private mutating func row(_ group: Group, fix: CycleFix?, signature: String) -> AnalyzedFinding {
        let finding = representative(of: group)
        let stack = symbolicator.stack(commonest(group.stacks))
        var row =
            finding.cycle.isEmpty
            ? lone(finding, signature: signature, madeIn: stack)
            : cycle(finding, alike: group.alike, fix: fix, signature: signature)
        if !finding.cycle.isEmpty {
            row.instance = instance(of: finding, group.stacks)
            let members = group.alike.flatMap { $0.members.prefix(Self.namedMost) }.filter { roles[$0] == .user }
            let types = members.map { TypeName.bare(roles.typeName($0)) }
            row.releasing = releasing.site(of: Set(members.map { graph.object($0).stack }), types: Set(types))
                .map { Finding.ReleasingCall(function: $0.call, from: $0.from) }
        }
        if finding.kind == .reachableCycle { row.facts.severity = .warning }
        if !finding.heldBy.isEmpty { row.facts.heldBy = finding.heldBy }
        if finding.tiedBy != .user { row.facts.tiedByLibrary = true }
        row.facts.count = SampleWeights.whole(group.count)
        row.facts.bytes = UInt64(SampleWeights.whole(group.bytes))
        for (key, count) in group.objects {
            row.facts.objects[typeName(key), default: 0].add(clamping: SampleWeights.whole(count))
        }
        if let fix, fix.isProved {
            row.facts.fixFrees = Finding.Freed(
                blocks: SampleWeights.whole(fix.freed.reduce(0) { $0 + weights.count(of: graph.object($1)) }),
                of: SampleWeights.whole(group.objects.values.reduce(0, +)),
                unlessDeinit: fix.mayEndWait ? true : nil)
        }
        row.facts.allocatedBy = CallStack(stack)
        if let keeps = finding.keeps { addKept(to: &row, finding: finding, kept: keeps) }
        addHistory(to: &row, of: graph.object(subject(of: finding)))
        if !isWhole {
            row.facts.severity = .warning
            row.circumstances.append(.memoryIsUnread)
        }
        if unreturned.mayOwn(finding, madeBy: stack) {
            row.facts.severity = .warning
            row.circumstances.append(.makerIsRunning(function: Signature.makers(of: stack).first ?? ""))
        } else if stack.frames.isEmpty,
            let owner = unreturned.possibleOwner(finding, count: group.count)
                ?? unreturned.topLevelOwner(
                    finding, type: roles.typeName(subject(of: finding)), count: group.count)
        {
            row.facts.severity = .warning
            row.circumstances.append(.makerMayBeRunning(function: owner))
        }
        return row
    }

    private func addHistory(to row: inout AnalyzedFinding, of object: HeapObject) {
        guard let histories, !histories.isEmpty else { return }
        let hasNoOwner = row.facts.kind == .overRetain || row.facts.kind == .leak
        row.add(
            histories.history(
                of: object.address, type: object.type, asking: hasNoOwner ? .overRetain : .none))
    }

    private func typeName(_ key: TypeOfObject) -> String {
        let name = graph.types[key.type.index]?.name ?? ""
        return key.role == .closure || key.role == .task || name.isEmpty
            ? roles.noun(of: key.type, key.role) : name
    }

    private func commonest(_ stacks: [StackID: Int]) -> StackID {
        stacks.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? .none
    }

    /// What tells tasks that wait apart; nil: the finding is no such task.
    private func waitingTask(_ finding: HeapFinding) -> WaitingTask? {
        guard finding.kind == .leak, roles[finding.members[0]] == .task else { return nil }
        let task = graph.object(finding.members[0])
        return WaitingTask(
            stack: task.stack, place: waiting.place(at: task.address),
            function: proof.waits.function(of: finding.members[0]))
    }

    /// The instance that the row names: of tasks the one with the least places and names, wherever they lie in memory.
    private func representative(of group: Group) -> HeapFinding {
        let named = group.tasks.map { task, finding in
            let begun = closure(ofTask: finding.members[0])
            let words = [task.place?.wait.site?.place, begun.place, begun.name, task.place.map { "\($0.wait.kind)" }]
            return (order: (words.map { $0 ?? "" }.joined(separator: "\n"), task.stack), finding: finding)
        }
        return named.min { $0.order < $1.order }?.finding ?? group.first
    }

    /// The closure with which a task began.
    private func closure(ofTask member: Int32) -> Finding.Closure {
        let function = proof.waits.function(of: member)
        return Finding.Closure(place: symbolicator.function(at: function)?.place, name: paths.names[function])
    }

    private mutating func lone(
        _ finding: HeapFinding, signature: String, madeIn stack: SymbolicatedStack
    ) -> AnalyzedFinding {
        let member = finding.members[0]
        let maker = Signature.tellingMaker(of: stack)
        let cause: Finding.Cause
        let remedy: Finding.Remedy
        switch finding.kind {
        case .overRetain:
            cause = .overRetain(excess: finding.excessRetains)
            remedy = .releaseRetains(finding.excessRetains, among: countedByHand.places(near: stack))
        case .rawLeak: (cause, remedy) = (.lostMemory(maker: maker), .free(maker: maker))
        case .leak where roles[member] == .task:
            var task = closure(ofTask: member)
            let wait = waiting.place(at: graph.object(member).address)?.wait
            let readsStream = finding.dependents.contains { TaskWaits.isStream(roles.typeName($0)) }
            let kind = wait?.kind ?? (readsStream ? .stream : .continuation)
            task.waitsIn = wait?.site?.function
            (cause, remedy) = (.stuckTask(wait?.site), .endTask(task, waitingFor: kind))
        case .leak:
            let isRetainable = roles[member] == .user || roles[member] == .library
            let owner = Signature.initialised(by: stack, otherThan: roles.typeName(member))
            var places = countedByHand.places(near: stack)
            if !isRetainable, owner == nil { places?.retains = [] }
            if places?.isEmpty == true { places = nil }
            (cause, remedy) = (.lostObject, .releaseLost(maker: owner, isRetainable: isRetainable, among: places))
        case .retainCycle: (cause, remedy) = (.retainCycle(suspect: nil), .weakenOneSide)
        case .reachableCycle: (cause, remedy) = (.reachableCycle(suspect: nil), .weakenOneSide)
        }
        return AnalyzedFinding(cause, remedy: remedy, signature: signature, type: roles.typeName(member))
    }

    /// - Parameter alike: all instances: what is said of them must not depend on the one that lies first.
    private func cycle(
        _ finding: HeapFinding, alike: [HeapFinding], fix: CycleFix?, signature: String
    ) -> AnalyzedFinding {
        var steps = steps(of: finding)
        if steps.count > Self.drawnWhole { steps = PathFolding.fold(steps) }
        // Of what must go one is on the cycle that is drawn: it is said first.
        var parts = fix?.parts ?? []
        var drawn: WeakeningCandidate?
        for (index, part) in parts.enumerated() where drawn == nil {
            guard let step = steps.firstIndex(where: { $0.shape == part.step.shape }) else { continue }
            drawn = WeakeningCandidate(step: step, reason: part.suspect.reason)
            parts.insert(parts.remove(at: index), at: 0)
        }
        var suspect = drawn ?? WeakeningCandidate.find(in: steps, madeBy: wasMade)
        var remedy = Finding.Remedy.weakenOneSide
        if let found = suspect {
            // The suspect stands last: reading ends where the change begins.
            let shift = found.step + 1
            steps = Array(steps[shift...] + steps[..<shift])
            let turned = WeakeningCandidate(step: steps.count - 1, reason: found.reason)
            suspect = turned
            remedy =
                finding.isHeldByPointer
                ? RemedyChoice.heldByPointer(steps[turned.step])
                : RemedyChoice.cycle(steps, suspect: turned, closureAt: place(of: steps[turned.step]))
        }
        var row = AnalyzedFinding(
            cause(of: finding, suspect: suspect?.reason), remedy: remedy, signature: signature,
            type: steps.first?.from ?? roles.typeName(subject(of: finding)))
        row.facts.references = steps.flatMap { $0.references(symbolicator) }
        // What a library's object holds is not the user's to change.
        if let last = steps.last, last.held != nil, !last.isCapture {
            row.facts.references.insert(row.facts.references.removeLast(), at: 0)
        }
        if finding.kind == .retainCycle {
            row.isProved = false
            let reasons = Dictionary(
                parts.map { ($0.step.shape, $0.suspect.reason) }, uniquingKeysWith: { first, _ in first })
            let others = knot.references(of: alike, besides: steps).map { step in
                var reference = step.reference(symbolicator)
                reference.suspect = reasons[step.shape].map { .init(reason: $0.rawValue, explanation: "") }
                return reference
            }
            if !others.isEmpty { row.facts.knot = others }
        }
        if let fix { add(fix, parts, of: finding.members, to: &row) }
        row.remedy = placed(row.remedy, members: finding.members)
        row.alsoNeeded = row.alsoNeeded.map { placed($0, members: finding.members) }
        return row
    }

    private func place(of step: PathStep) -> String? {
        step.function == 0 ? nil : symbolicator.function(at: step.function)?.place
    }

    private func fixes(of rows: [[HeapFinding]]) -> [CycleFix?] {
        let made = Set(
            rows.compactMap(\.first).flatMap { $0.members.prefix(Self.namedMost).map { graph.object($0).stack } })
        symbolicator.prepare(stacks: made.union(made.compactMap { releasing.frees[$0] }), addresses: [])
        let foreign = Set(
            made.flatMap { symbolicator.stack($0).frames }.filter(\.isOfPackage).map(\.module))
        var fixes = CycleFixes(rows, paths: paths, proof: proof, isForeign: foreign.contains, wasMade: wasMade)
        return fixes.all()
    }

    private func add(
        _ fix: CycleFix, _ parts: [CycleFix.Part], of members: [Int32], to row: inout AnalyzedFinding
    ) {
        var known: Set<Finding.Remedy> = []
        let remedies = parts.flatMap { part in
            if part.isLibrarys { return [libraryCall(part, among: members)] }
            guard let wait = part.wait else {
                return [RemedyChoice.part(part, of: fix, closureAt: place(of: part.step))]
            }
            var task = Finding.Closure(
                place: symbolicator.function(at: wait.function)?.place, name: paths.names[wait.function])
            let stuck = waiting.wait(begunIn: task.name)
            task.waitsIn = stuck?.site?.function
            if let kind = stuck?.kind, case .executor = kind { return [.endTask(task, waitingFor: kind)] }
            return RemedyChoice.ends(
                wait.sources, of: task, in: part.steps.first(where: \.goesThroughTask)?.property)
        }.filter { known.insert($0).inserted }
        row.remedy = remedies[0]
        row.alsoNeeded = Array(remedies.dropFirst())
        row.isProved = fix.isSure
    }

    /// The block of a work item or of a source's handler has no name: it stands where that is made.
    private func placed(_ remedy: Finding.Remedy, members: [Int32]) -> Finding.Remedy {
        guard case .endService(let service, nil) = remedy, service != .stream,
            let item = members.first(where: {
                service == .workItem
                    ? roles.typeName($0) == "Dispatch.DispatchWorkItem" : roles.typeName($0).contains("DispatchSource")
            }),
            let maker = symbolicator.stack(graph.object(item).stack).innermostUser
        else { return remedy }
        let function = FunctionName.display(maker.function)
        return .endService(service, madeAt: Finding.Site(function: function, place: maker.place))
    }

    /// The object that is to be freed, and the line outside of the cycle's own types where the program makes it.
    private func instance(of finding: HeapFinding, _ stacks: [StackID: Int]) -> Finding.Instance? {
        let own = finding.members.prefix(Self.namedMost).filter { roles[$0] == .user }
        var (subject, stacks) = (subject(of: finding), stacks)
        if roles[subject] != .user {
            guard let other = finding.cycle.lazy.map({ graph.edges[Int($0)].from }).first(where: { roles[$0] == .user })
            else { return nil }
            (subject, stacks) = (other, [graph.object(other).stack: 1])
        }
        let types = Set(own.map { TypeName.bare(roles.typeName($0)) })
        let places = Set(
            stacks.keys.map { stack in
                let makers = symbolicator.stack(stack).frames.filter {
                    $0.origin == .user && !FunctionName.isInitializer($0.function)
                }
                let maker = makers.first { FunctionName.enclosingType($0.function).map(types.contains) != true }
                return (maker ?? makers.first)?.place
            })
        return Finding.Instance(type: roles.typeName(subject), place: places.count == 1 ? places.first ?? nil : nil)
    }

    /// What the call has made, and where: of all objects that hold each other the one that the user's code made itself.
    private func libraryCall(_ part: CycleFix.Part, among members: [Int32]) -> Finding.Remedy {
        let made = members.prefix(Self.namedMost).compactMap {
            member -> (depth: Int, member: Int32, site: Finding.Site)? in
            guard roles[member] == .user || roles[member] == .library else { return nil }
            let frames = symbolicator.stack(graph.object(member).stack).frames
            guard let depth = frames.firstIndex(where: { $0.origin == .user }) else { return nil }
            let function = FunctionName.display(frames[depth].function)
            return (depth, member, Finding.Site(function: function, place: frames[depth].place))
        }.min { ($0.depth, $0.member) < ($1.depth, $1.member) }
        return RemedyChoice.libraryCall(
            part.step, of: made.map { roles.typeName($0.member) } ?? part.step.from, madeAt: made?.site)
    }

    private func cause(of finding: HeapFinding, suspect: WeakeningCandidate.Reason?) -> Finding.Cause {
        guard finding.kind == .reachableCycle else { return .retainCycle(suspect: suspect) }
        return finding.isHeldByPointer ? .cycleBehindPointer : .reachableCycle(suspect: suspect)
    }

    /// Of what is a library's alone the user knows the object that it keeps.
    private func addKept(to row: inout AnalyzedFinding, finding: HeapFinding, kept: Int32) {
        let type = roles.typeName(kept)
        let members = Set(finding.members + finding.dependents)
        let closure = graph.edges.first { $0.function != 0 && members.contains($0.from) }?.function
        row.circumstances.append(.keeps(type: type))
        (row.alsoNeeded, row.isProved, row.facts.fixFrees) = ([], true, nil)
        row.remedy = RemedyChoice.kept(
            type, by: finding.members.map { roles.typeName($0) },
            closureAt: closure.flatMap { symbolicator.function(at: $0)?.place })
    }

    /// Whether the object was allocated inside a member of the type with that bare name.
    private func wasMade(_ object: Int32, in type: String) -> Bool {
        symbolicator.stack(graph.object(object).stack).frames.contains { frame in
            frame.origin == .user && FunctionName.enclosingType(frame.function) == type
        }
    }
}
