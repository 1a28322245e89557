import CTraceFormat

/// The bytes of the records of a process that is sampled from outside.
extension RecordBytes {
    /// The time of what follows in the chunk.
    package static func time(_ nanoseconds: UInt64) -> [UInt8] {
        var raw = gp_time()
        raw.kind = UInt8(GP_TIME)
        raw.ns = nanoseconds
        return cell(raw)
    }

    /// The thread of what follows in the chunk.
    package static func thread(_ thread: ThreadID) -> [UInt8] { mark(GP_THREAD, thread) }

    package static func threadEnd(_ thread: ThreadID) -> [UInt8] { mark(GP_THREAD_END, thread) }

    package static func frame(_ r: FrameRecord) -> [UInt8] {
        let flags = (r.isExact ? GP_FRAME_EXACT : 0) | (r.isTruncated ? GP_FRAME_TRUNCATED : 0)
        return cell(
            gp_frame(
                kind: UInt8(GP_FRAME), flags: UInt8(flags), pc_high: UInt16(truncatingIfNeeded: r.pc >> 32),
                pc_low: UInt32(truncatingIfNeeded: r.pc), id: r.id.rawValue, parent: r.parent.rawValue))
    }

    package static func resident(_ r: ResidentRecord) -> [UInt8] {
        cell(
            gp_resident(
                kind: UInt8(GP_RESIDENT), reserved: (0, 0, 0), kib: UInt32(clamping: r.bytes >> 10), ns: r.time))
    }

    package static func environment(_ r: EnvironmentRecord) -> [UInt8] {
        join(GP_ENVIRONMENT, gp_record_header(), r.facts.map { "\($0.name)\0\($0.value)\0" }.joined())
    }

    package static func image(_ r: ImageRecord) -> [UInt8] {
        var raw = gp_image()
        raw.bias = r.bias
        raw.start = r.start
        raw.end = r.end
        raw.text_start = r.textStart
        raw.text_end = r.textEnd
        raw.build_id_size = UInt8(min(r.buildID.count, 31))
        withUnsafeMutableBytes(of: &raw.build_id) { $0.copyBytes(from: r.buildID.prefix(31)) }
        return join(r.isLoaded ? GP_IMAGE : GP_IMAGE_GONE, raw, r.path)
    }

    package static func threadName(_ r: ThreadNameRecord) -> [UInt8] {
        var raw = gp_thread_name()
        raw.thread = r.thread.rawValue
        return join(GP_THREAD_NAME, raw, r.name)
    }

    package static func threadStack(_ r: ThreadStackRecord) -> [UInt8] {
        join(
            GP_THREAD_STACK,
            gp_thread_stack_record(header: gp_record_header(), thread: r.thread.rawValue, stack: r.stack.rawValue))
    }

    package static func program(_ r: ProgramRecord) -> [UInt8] {
        var raw = gp_program()
        (raw.pid, raw.parent) = (UInt32(clamping: r.pid), r.parent)
        raw.instruments = r.instruments.reduce(0) { $0 | $1.bit }
        raw.linked = r.isLinked ? 1 : 0
        let strings = ([r.executable] + r.arguments).map { $0 + "\0" }.joined()
        return join(GP_PROGRAM, raw, strings, flags: r.isLate ? 1 : 0)
    }

    /// Something that the reader of a report should know.
    package static func note(_ r: RemarkRecord) -> [UInt8] { remark(GP_NOTE, r) }

    package static func sample(_ r: SampleRecord) -> [UInt8] {
        cell(
            gp_sample(
                kind: UInt8(r.kind == .computing ? GP_SAMPLE : GP_WAIT), flags: r.isDiskWait ? UInt8(GP_SAMPLE_IO) : 0,
                weight: r.weight, stack: r.stack.rawValue, ns: r.time))
    }

    /// In front of the sample of a thread that waits for a lock: who holds it.
    package static func lockHolder(_ thread: ThreadID) -> [UInt8] { mark(GP_LOCK_HOLDER, thread) }

    package static func sampling(_ r: SamplingRecord) -> [UInt8] {
        join(
            GP_SAMPLING,
            gp_sampling(header: gp_record_header(), period_ns: r.period, wait_period_ns: r.waitPeriod), r.sentence,
            flags: r.source.rawValue)
    }

    package static func threadTime(_ r: ThreadTimeRecord) -> [UInt8] {
        join(
            GP_THREAD_TIME,
            gp_thread_time(
                header: gp_record_header(), thread: r.thread.rawValue, reserved: 0, cpu_ns: r.cpu,
                system_ns: r.system, lost: r.lost))
    }

    private static func mark(_ kind: Int, _ thread: ThreadID) -> [UInt8] {
        var raw = gp_thread_mark()
        raw.kind = UInt8(kind)
        raw.thread = thread.rawValue
        return cell(raw)
    }
}
