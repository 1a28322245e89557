import CTraceFormat

extension RecordFields {
    func zombie() -> TraceRecord? {
        guard let raw = fixed(gp_zombie.self), let access = ZombieRecord.Access(rawValue: raw.access) else {
            return nil
        }
        return .zombie(
            .use(
                ZombieRecord(
                    flags: .init(rawValue: header.flags), access: access, object: raw.object, size: raw.size,
                    type: TypeID(raw.type), allocated: StackID(raw.allocated), deallocated: StackID(raw.deallocated),
                    used: StackID(raw.used), deallocatingThread: ThreadID(raw.deallocating_thread),
                    usingThread: ThreadID(raw.using_thread), deallocatedTime: raw.deallocated_ns, usedTime: raw.used_ns,
                    fault: raw.fault, pc: raw.pc, member: raw.member, offset: Int32(bitPattern: raw.offset),
                    property: text(after: gp_zombie.self))))
    }

    func zombieSummary() -> TraceRecord? {
        grown(gp_zombie_summary(), fewest: 88).map {
            .zombie(
                .summary(
                    ZombieSummaryRecord(
                        quarantined: $0.quarantined, evicted: $0.evicted, evictedBytes: $0.evicted_bytes, kept: $0.kept,
                        keptBytes: $0.kept_bytes, passedBy: $0.passed_by, guarded: $0.guarded,
                        guardsMissed: $0.guards_missed,
                        byteLimit: $0.byte_limit, countLimit: $0.count_limit, unownedKept: $0.unowned_kept,
                        isChosen: header.flags & UInt8(GP_ZOMBIES_CHOSEN) != 0,
                        isSampled: header.flags & UInt8(GP_ZOMBIES_SAMPLED) != 0)))
        }
    }

    func countChange() -> TraceRecord? {
        guard let raw = fixed(gp_count_change.self), raw.times > 0,
            let kind = CountChangeRecord.Kind(rawValue: header.flags)
        else { return nil }
        return .zombie(
            .countChange(
                CountChangeRecord(
                    kind: kind, object: raw.object, type: TypeID(raw.type), stack: StackID(raw.stack),
                    thread: ThreadID(raw.thread), strong: raw.strong, times: raw.times, time: raw.time_ns)))
    }
}
