import CTraceFormat
import GameprofTrace

extension RecordEncoder {
    static func encode(_ record: TraceRecord.Zombie) -> [UInt8] {
        switch record {
        case .use(let r):
            return RecordBytes.join(
                GP_ZOMBIE,
                gp_zombie(
                    header: gp_record_header(), object: r.object, size: r.size, type: r.type.rawValue,
                    allocated: r.allocated.rawValue, deallocated: r.deallocated.rawValue, used: r.used.rawValue,
                    deallocating_thread: r.deallocatingThread.rawValue, using_thread: r.usingThread.rawValue,
                    deallocated_ns: r.deallocatedTime, used_ns: r.usedTime, fault: r.fault, pc: r.pc, member: r.member,
                    offset: UInt32(bitPattern: r.offset), access: r.access.rawValue, reserved: (0, 0, 0)),
                r.property, flags: r.flags.rawValue)
        case .summary(let r):
            return RecordBytes.join(
                GP_ZOMBIE_SUMMARY,
                gp_zombie_summary(
                    header: gp_record_header(), quarantined: r.quarantined, evicted: r.evicted,
                    evicted_bytes: r.evictedBytes,
                    kept: r.kept, kept_bytes: r.keptBytes, passed_by: r.passedBy, guarded: r.guarded,
                    guards_missed: r.guardsMissed, byte_limit: r.byteLimit, count_limit: r.countLimit,
                    unowned_kept: r.unownedKept))
        case .countChange(let r):
            return RecordBytes.join(
                GP_COUNT_CHANGE,
                gp_count_change(
                    header: gp_record_header(), object: r.object, type: r.type.rawValue, stack: r.stack.rawValue,
                    thread: r.thread.rawValue, reserved: 0, time_ns: r.time, strong: r.strong, times: r.times),
                flags: r.kind.rawValue)
        }
    }
}
