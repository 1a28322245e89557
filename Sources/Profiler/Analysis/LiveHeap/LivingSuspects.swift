import GameprofBasics
import GameprofTrace

/// What of the living heap looks abandoned, as findings: warnings, because the program may still want it.
struct LivingSuspects {
    let recording: Recording
    let snapshot: HeapSnapshot
    let ownership: HeapOwnership
    let rootNames: RootNames

    private var symbolicator: any Symbolicating { rootNames.symbolicator }

    /// The findings, the most bytes first. `others`: what is found already of the same heap; a cycle that is found with as
    /// many objects is not reported again.
    func findings(besides others: [Finding]) -> [AnalyzedFinding] {
        // Where frees are missing, nothing seems to go.
        guard recording.capture.dropped == 0 else { return [] }
        let births = StackBirths(recording.allocations)
        var known: [String: Int] = [:]
        for finding in others {
            for type in Set([finding.type] + finding.references.flatMap { [$0.from, $0.to] }) {
                known[type] = max(known[type] ?? 0, finding.kind == .reachableCycle ? finding.count : .max)
            }
        }
        let groups =
            births.isEmpty
            ? []
            : AbandonedObjects(ownership, births: births, types: recording.types, symbolicator: symbolicator).groups()
                .filter { (known[$0.type] ?? 0) < $0.members.count }
        let abandoned = Set(groups.map(\.type))
        let grown = Set(recording.allocations.growth.map(\.stack))
        let points = AccumulationPoints(ownership, births: births, grown: grown, rootNames: rootNames).points()
            .filter { !abandoned.contains($0.type) }
        let dead = DeinitialisedObjects(ownership).groups()
        guard !groups.isEmpty || !points.isEmpty || !dead.isEmpty else { return [] }
        let paths = RetainingPathTree(ownership, order: rootNames.order, isLibcs: rootNames.isLibcs)
        let firsts = groups.map(\.members[0]) + points.map(\.members[0]) + dead.map(\.source)
        let made = firsts + dead.map(\.members[0])
        symbolicator.prepare(stacks: Set(made.map { ownership.heap.stacks[Int($0)] }), addresses: [])
        let words = RetainingPathWords(
            paths, to: firsts, of: ownership.heap, snapshot.begin, types: recording.types, rootNames: rootNames)
        let found =
            groups.map { finding($0, words) } + points.map { finding($0, words) } + dead.map { finding($0, words) }
        return found.sorted { ($0.facts.bytes, $1.facts.signature) > ($1.facts.bytes, $0.facts.signature) }
    }

    private func finding(_ group: AbandonedObjects.Group, _ words: RetainingPathWords) -> AnalyzedFinding {
        let first = group.members[0]
        let way = words.path(to: first, instances: group.members.count, bytes: 0)
        let function = group.canceller ?? symbolicator.function(at: group.closure)
        let closure = function.map {
            Finding.Closure(place: SourceLocation.short(file: $0.file, line: $0.line), name: $0.function)
        }
        let registration = group.canceller == nil ? registration(way) : .cancelledWorkItem
        var finding = AnalyzedFinding(
            .abandoned(holder: holder(way), through: registration),
            remedy: .endRegistration(registration, of: group.type, in: closure, entryOf: entries(way)),
            severity: .warning,
            signature: signature(.abandoned, group.type), type: group.type)
        symbolicator.prepare(stacks: [], addresses: group.ownClosures)
        // A closure of the program's is entered through code that the compiler made.
        let own = group.ownClosures.compactMap { symbolicator.function(at: $0) }.filter { $0.origin != .library }
        finding.alsoNeeded = own.sorted {
            ($0.file ?? "", $0.line ?? 0, $0.function) < ($1.file ?? "", $1.line ?? 0, $1.function)
        }
        .map { function in
            let place = SourceLocation.short(file: function.file, line: function.line)
            return .captureWeakly(
                .selfReference, in: Finding.Closure(place: place, name: function.function), orClear: nil, need: nil)
        }
        add(group.members, way, words, to: &finding)
        return finding
    }

    private func finding(_ point: AccumulationPoints.Point, _ words: RetainingPathWords) -> AnalyzedFinding {
        let first = point.members[0]
        let way = words.path(to: first, instances: point.members.count, bytes: 0)
        let share = Double(point.bytes) / Double(max(ownership.retained[Int(ownership.entry)], 1))
        var finding = AnalyzedFinding(
            .accumulation(holder: holder(way), share: share), remedy: .boundGrowth, severity: .warning,
            signature: signature(.accumulation, point.type, heldBy: words.holders(of: first)), type: point.type)
        add(point.members, way, words, to: &finding)
        finding.facts.bytes = point.bytes
        return finding
    }

    private static let leastShare = 0.01
    /// Less is what a correct `unowned` may keep, however small the heap is.
    private static let leastBytes: UInt64 = 1 << 20

    private func finding(_ dead: DeinitialisedObjects.Group, _ words: RetainingPathWords) -> AnalyzedFinding {
        let heap = ownership.heap.sizes.reduce(0, &+)
        let isLarge = dead.bytes >= Self.leastBytes && Double(dead.bytes) >= Double(heap) * Self.leastShare
        let reference = dead.reference
        var hash = StableHash()
        for part in [Finding.Kind.deinitialised.rawValue, TypeName.declared(dead.type), reference.from, reference.path]
        {
            hash.combine(part)
        }
        var finding = AnalyzedFinding(
            .deinitialised,
            remedy: .dropUnowned(
                reference.from.isEmpty || reference.path.isEmpty
                    ? nil : Finding.Property(type: reference.from, name: reference.path)),
            severity: isLarge ? .warning : .note, signature: hash.value.hexDigits, type: dead.type)
        finding.facts.count = dead.members.count
        finding.facts.bytes = dead.bytes
        finding.facts.objects = [dead.type: dead.members.count]
        finding.facts.references = reference.from.isEmpty ? [] : [reference]
        finding.facts.allocatedBy = CallStack(symbolicator.stack(ownership.heap.stacks[Int(dead.members[0])]))
        let names = words.holders(of: dead.source)
        finding.facts.heldBy = names.isEmpty ? nil : names + [TypeSugar.short(dead.type)]
        return finding
    }

    private func add(
        _ members: [UInt32], _ way: HeldBy?, _ words: RetainingPathWords, to finding: inout AnalyzedFinding
    ) {
        finding.facts.count = members.count
        let chosen = Set(members)
        ownership.forEachRetained(by: members) { block in
            finding.facts.bytes &+= ownership.heap.sizes[Int(block)]
            guard chosen.contains(block) || !ownership.names.isBuffer(block) else { return }
            finding.facts.objects[ownership.names.text(ownership.names.number(block)), default: 0] += 1
        }
        finding.facts.allocatedBy = CallStack(symbolicator.stack(ownership.heap.stacks[Int(members[0])]))
        let names = words.holders(of: members[0])
        finding.facts.heldBy = names.isEmpty ? nil : names
    }

    /// The root, and the first field behind it.
    private func holder(_ way: HeldBy?) -> String? {
        guard let way, let first = way.references.first else { return nil }
        guard way.references.count > 1 else { return first.holder(named: way.root.name) }
        return way.references[1].holder(named: way.root.name)
    }

    /// The collection of the user's that has the registrations.
    private func entries(_ way: HeldBy?) -> Finding.Property? {
        way?.references.last {
            TypeName.isUsers($0.declaredIn ?? $0.from) && FieldName.hasElement($0.path) && !$0.field.isEmpty
        }
        .map { Finding.Property(type: $0.declaredIn ?? $0.from, name: FieldName.property(of: $0.field)) }
    }

    /// What the objects are registered with.
    private func registration(_ way: HeldBy?) -> Finding.Registration {
        guard let way else { return .other }
        let types = way.references.flatMap { $0.via + [$0.to] }.map(TypeName.bare)
        if types.contains("Timer") { return .timer }
        if types.contains("NotificationCenter") { return .observer }
        if types.contains(ObjectNoun.task.rawValue) { return .task }
        return way.root.name.hasPrefix("_dispatch_") || way.root.kind == .kernel ? .dispatchSource : .other
    }

    /// No addresses and counts: the type, and the names on the way where one root alone leads there. Which root is met first at what
    /// several lead to, as a queue, a thread's stack and the table of timers, differs between runs.
    private func signature(_ kind: Finding.Kind, _ type: String, heldBy holders: [String] = []) -> String {
        var hash = StableHash()
        hash.combine(kind.rawValue)
        hash.combine(TypeName.declared(type))
        for name in holders { hash.combine(name) }
        return hash.value.hexDigits
    }
}
