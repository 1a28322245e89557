import CTraceFormat
import GameprofTrace

extension RecordEncoder {
    static func encode(_ record: TraceRecord.Sampling) -> [UInt8] {
        switch record {
        case .sample(let r): return RecordBytes.cell(sample(r))
        case .method(let r):
            return RecordBytes.join(
                GP_SAMPLING,
                gp_sampling(header: gp_record_header(), period_ns: r.period, wait_period_ns: r.waitPeriod), r.sentence,
                flags: r.source.rawValue)
        case .threadTime(let r):
            return RecordBytes.join(
                GP_THREAD_TIME,
                gp_thread_time(
                    header: gp_record_header(), thread: r.thread.rawValue, reserved: 0, cpu_ns: r.cpu,
                    system_ns: r.system, lost: r.lost))
        case .work(let r):
            return RecordBytes.join(GP_WORK, gp_work(header: gp_record_header()), r.name, flags: r.kind.rawValue)
        case .blocks(let r):
            return RecordBytes.join(
                GP_BLOCK_SAMPLING, gp_block_sampling(header: gp_record_header(), mean: r.mean), "",
                flags: r.knowsAll ? 1 : 0)
        case .liveBlock(let r):
            return RecordBytes.join(
                GP_SAMPLED_LIVE,
                gp_sampled_live(
                    header: gp_record_header(), type: r.type.rawValue, stack: r.stack.rawValue, size: r.size), "")
        }
    }

    private static func sample(_ r: SampleRecord) -> gp_sample {
        gp_sample(
            kind: UInt8(r.kind == .computing ? GP_SAMPLE : GP_WAIT), flags: r.isDiskWait ? UInt8(GP_SAMPLE_IO) : 0,
            weight: r.weight, stack: r.stack.rawValue, ns: r.time)
    }
}
