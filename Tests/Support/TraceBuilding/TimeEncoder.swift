import CTraceFormat
import GameprofTrace

extension RecordEncoder {
    static func encode(_ record: TraceRecord.Sampling) -> [UInt8] {
        switch record {
        case .sample(let r): return RecordBytes.sample(r)
        case .lockHolder(let thread): return RecordBytes.lockHolder(thread)
        case .unscheduled(let r):
            return RecordBytes.cell(
                gp_unscheduled(kind: UInt8(GP_UNSCHEDULED), reserved: (0, 0, 0), us: r.microseconds, ns: r.time))
        case .method(let r): return RecordBytes.sampling(r)
        case .threadTime(let r): return RecordBytes.threadTime(r)
        case .work(let r):
            return RecordBytes.join(GP_WORK, gp_work(header: gp_record_header()), r.name, flags: r.kind.rawValue)
        case .blocks(let r):
            return RecordBytes.join(
                GP_BLOCK_SAMPLING, gp_block_sampling(header: gp_record_header(), mean: r.mean), "",
                flags: r.knowsAll ? 1 : 0)
        case .referenceCounting(let r):
            let flags =
                (r.call.releases ? GP_COUNTING_RELEASES : 0) | (r.call.isAtomic ? 0 : GP_COUNTING_NONATOMIC)
                | (r.isSampled ? GP_COUNTING_SAMPLED : 0)
            return RecordBytes.join(
                GP_REFERENCE_COUNTING,
                gp_reference_counting(
                    header: gp_record_header(), type: r.call.type.rawValue, stack: r.call.stack.rawValue,
                    calls: r.tally.calls, changes: r.tally.changes, immortal: r.tally.immortal), "",
                flags: UInt8(flags))
        case .liveBlock(let r):
            return RecordBytes.join(
                GP_SAMPLED_LIVE,
                gp_sampled_live(
                    header: gp_record_header(), type: r.type.rawValue, stack: r.stack.rawValue, size: r.size), "")
        }
    }
}
