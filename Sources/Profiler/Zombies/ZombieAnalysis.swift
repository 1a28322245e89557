/// From the records of dead objects' uses to findings; equal ones are one finding.
struct ZombieAnalysis {
    private let recording: Recording
    private let symbolicator: any Symbolicating
    private let histories: HistoryTeller

    init(recording: Recording, symbolicator: any Symbolicating) {
        histories = HistoryTeller(recording: recording, symbolicator: symbolicator)
        self.recording = recording
        self.symbolicator = symbolicator
    }

    /// The findings in the order of their first use. Symbolication is the dear part and done in one batch.
    func findings() -> [Finding] {
        let records = recording.zombies
        guard !records.isEmpty else { return [] }
        symbolicator.prepare(
            stacks: Set(records.flatMap { [$0.allocated, $0.deallocated, $0.used] }),
            addresses: Set(records.map(\.member).filter { $0 != 0 }))
        var findings: [Finding] = []
        var positions: [String: Int] = [:]
        for record in records {
            let finding = finding(of: record)
            if let position = positions[finding.signature] {
                findings[position].count += 1
                findings[position].bytes &+= finding.bytes
                findings[position].objects[finding.type, default: 0] += 1
            } else {
                positions[finding.signature] = findings.count
                findings.append(finding)
            }
        }
        return findings
    }

    private func finding(of record: ZombieRecord) -> Finding {
        let type = typeName(record)
        let used = symbolicator.stack(record.used)
        let method = record.member == 0 ? nil : symbolicator.function(at: record.member)?.function
        let access = ZombieUse.access(of: record, type: type, used: used, method: method)
        let freed = symbolicator.stack(record.deallocated)
        let killer = ZombieWords.innermostUser(freed)
        var finding = Finding(
            kind: .zombie, signature: signature(type: type, access: access, used: used, killer: killer),
            title: ZombieWords.title(access, type: type), type: type)
        finding.message = ZombieWords.sentence(access, type: type, killer: killer)
        finding.bytes = record.size
        finding.objects = [type: 1]
        finding.access = access
        finding.usedBy = stack(used, thread: record.usingThread)
        finding.deallocatedBy = stack(freed, thread: record.deallocatingThread)
        finding.deallocatedBy?.foldDeallocatingDeinit()
        finding.allocatedBy = stack(symbolicator.stack(record.allocated), thread: .none)
        finding.secondsDead =
            record.deallocatedTime == 0 || record.flags.contains(.noDeath)
            ? nil : ReportBuilder.seconds(record.usedTime &- min(record.deallocatedTime, record.usedTime))
        finding.fix = ZombieWords.fix(access, record: record, type: type, freed: freed, killer: killer)
        if !histories.isEmpty {
            finding.history = histories.history(
                of: record.object, type: record.type, before: record.usedTime, asking: .overRelease,
                user: ZombieWords.innermostUser(used)?.function)
            if let history = finding.history, history.changes.contains(where: \.suspect) {
                finding.fix = history.conclusion
            }
        }
        return finding
    }

    private func typeName(_ record: ZombieRecord) -> String {
        let name = recording.types.name(record.type)
        if !name.isEmpty { return name }
        return recording.types.kind(record.type) == .local ? "closure context" : "memory"
    }

    private func stack(_ stack: SymbolicatedStack, thread: ThreadID) -> CallStack? {
        var result = CallStack(stack)
        if !thread.isNone {
            let isMain = UInt64(thread.rawValue) == recording.program?.pid
            result?.thread = isMain ? "main" : recording.threadNames[thread] ?? "\(thread)"
        }
        return result
    }

    private func signature(
        type: String, access: Finding.Access, used: SymbolicatedStack, killer: SymbolicatedFrame?
    ) -> String {
        var hash = StableHash()
        hash.combine(Finding.Kind.zombie.rawValue)
        hash.combine(type)
        hash.combine(access.operation)
        hash.combine(access.member ?? "")
        for frame in [ZombieWords.innermostUser(used), killer] {
            hash.combine(frame.map { FunctionName.unnumbered($0.function) } ?? "")
        }
        return hash.value.hexDigits
    }
}

extension CallStack {
    /// The compiler's part of a deinit is nothing that the user wrote: who released the object stands below it.
    fileprivate mutating func foldDeallocatingDeinit() {
        for index in frames.indices where frames[index].function.contains("__deallocating_deinit") {
            frames[index].origin = .runtime
        }
    }
}
