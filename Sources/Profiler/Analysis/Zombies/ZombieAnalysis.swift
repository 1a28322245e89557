import GameprofBasics
import GameprofTrace

/// From the records of dead objects' uses to findings; equal ones are one finding.
struct ZombieAnalysis {
    private let recording: Recording
    private let symbolicator: any Symbolicating
    private let histories: RetainHistoryBuilder

    init(recording: Recording, symbolicator: any Symbolicating) {
        histories = RetainHistoryBuilder(recording: recording, symbolicator: symbolicator)
        self.recording = recording
        self.symbolicator = symbolicator
    }

    /// The findings in the order of their first use. Symbolication is the dear part and done in one batch.
    func findings() -> [AnalyzedFinding] {
        let records = recording.zombies
        guard !records.isEmpty else { return [] }
        symbolicator.prepare(
            stacks: Set(records.flatMap { [$0.allocated, $0.deallocated, $0.used] }),
            addresses: Set(records.map(\.member).filter { $0 != 0 }))
        var findings: [AnalyzedFinding] = []
        var positions: [String: Int] = [:]
        for record in records {
            let finding = finding(of: record)
            let facts = finding.facts
            if let position = positions[facts.signature] {
                findings[position].facts.count += 1
                findings[position].facts.bytes &+= facts.bytes
                findings[position].facts.objects[facts.type, default: 0] += 1
            } else {
                positions[facts.signature] = findings.count
                findings.append(finding)
            }
        }
        return findings
    }

    private func finding(of record: ZombieRecord) -> AnalyzedFinding {
        let type = typeName(record)
        let used = symbolicator.stack(record.used)
        let method = record.member == 0 ? nil : symbolicator.function(at: record.member)?.function
        let use = ZombieUse.of(record, type: type, used: used, method: method)
        let freed = symbolicator.stack(record.deallocated)
        let killer = freed.innermostUser
        // Without symbols a function is called by its place in the image, which says nothing.
        let release = Finding.Site(
            function: killer.flatMap { FunctionName.isPlace($0.function) ? nil : $0.function }, place: killer?.place)
        let owners = TargetHolders(recording: recording, symbolicator: symbolicator).owners(of: record)
        var finding = AnalyzedFinding(
            .useAfterDeallocation(use.operation, member: use.member, deallocator: release.function),
            remedy: ZombieRemedy.choose(
                use.operation, record: record, type: type, release: release,
                user: used.innermostUser.map { FunctionName.display($0.function) }, owners: owners),
            signature: signature(type: type, use: use, used: used, killer: killer), type: type)
        finding.facts.bytes = record.size
        finding.facts.objects = [type: 1]
        finding.facts.access = Finding.Access(operation: use.operation.rawValue, member: use.member)
        finding.facts.usedBy = stack(used, thread: record.usingThread)
        finding.facts.deallocatedBy = stack(freed, thread: record.deallocatingThread)
        finding.facts.deallocatedBy?.foldDeallocatingDeinit()
        finding.facts.allocatedBy = stack(symbolicator.stack(record.allocated), thread: .none)
        finding.facts.firstSeenSeconds = Seconds.of(record.usedTime)
        finding.facts.secondsDead =
            record.deallocatedTime == 0 || record.flags.contains(.noDeath)
            ? nil : Seconds.of(record.usedTime &- min(record.deallocatedTime, record.usedTime))
        finding.facts.heldBy = owners.flatMap { $0.path.isEmpty ? nil : $0.path }
        if !histories.isEmpty {
            let isRelease = use.operation == .release
            let again = CountChangeRecord(
                kind: .release, object: record.object, type: record.type, stack: record.used,
                thread: record.usingThread, time: record.usedTime)
            // What is released here may be one of the references that memory has.
            let excess = isRelease ? max(owners?.count ?? 0, 1) : owners?.count
            finding.add(
                histories.history(
                    of: record.object, type: record.type, before: record.usedTime,
                    asking: .overRelease(excess: excess, use: isRelease ? again : nil)),
                heldBy: owners?.nearest)
        }
        return finding
    }

    private func typeName(_ record: ZombieRecord) -> String {
        let name = recording.types.name(record.type)
        if !name.isEmpty { return name }
        let noun = recording.types.kind(record.type) == .local ? ObjectNoun.closureContext : .memory
        return noun.rawValue
    }

    private func stack(_ stack: SymbolicatedStack, thread: ThreadID) -> CallStack? {
        var result = CallStack(stack)
        if !thread.isNone { result?.thread = recording.threadName(thread) }
        return result
    }

    private func signature(
        type: String, use: ZombieUse, used: SymbolicatedStack, killer: SymbolicatedFrame?
    ) -> String {
        var hash = StableHash()
        hash.combine(Finding.Kind.zombie.rawValue)
        hash.combine(type)
        hash.combine(use.operation.rawValue)
        hash.combine(use.member ?? "")
        for frame in [used.innermostUser, killer] {
            hash.combine(frame.map { FunctionName.unnumbered($0.function) } ?? "")
        }
        return hash.value.hexDigits
    }
}

extension CallStack {
    /// The compiler's part of a deinit is nothing that the user wrote: who released the object stands below it.
    fileprivate mutating func foldDeallocatingDeinit() {
        for index in frames.indices where FunctionName.isDeallocatingDeinit(frames[index].function) {
            frames[index].origin = .runtime
        }
    }
}
