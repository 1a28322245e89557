import CTraceFormat

extension RecordFields {
    func sampling() -> TraceRecord? {
        guard let raw = fixed(gp_sampling.self), let source = SamplingRecord.Source(rawValue: header.flags) else {
            return nil
        }
        return .sampling(
            .method(
                SamplingRecord(
                    source: source, period: raw.period_ns, waitPeriod: raw.wait_period_ns,
                    sentence: text(after: gp_sampling.self))))
    }

    func work() -> TraceRecord? {
        guard let kind = WorkRecord.Kind(rawValue: header.flags) else { return nil }
        return .sampling(.work(WorkRecord(kind: kind, name: text(after: gp_work.self))))
    }

    /// A mean of a byte or less samples everything: the recorder writes no such record.
    func blockSampling() -> TraceRecord? {
        guard let raw = fixed(gp_block_sampling.self), raw.mean > 1 else { return nil }
        return .sampling(.blocks(BlockSamplingRecord(mean: raw.mean, knowsAll: header.flags & 1 != 0)))
    }

    func sampledLive() -> TraceRecord? {
        fixed(gp_sampled_live.self).map {
            .sampling(.liveBlock(SampledLiveRecord(type: TypeID($0.type), stack: StackID($0.stack), size: $0.size)))
        }
    }

    func failedAllocation() -> TraceRecord? {
        fixed(gp_failed_alloc.self).map {
            .failedAllocation(
                FailedAllocationRecord(
                    hasFailed: header.flags & 1 != 0, time: $0.time_ns, number: $0.number, size: $0.size,
                    stack: StackID($0.stack)))
        }
    }

    func firstFree() -> TraceRecord? {
        fixed(gp_first_free.self).map {
            .firstFree(FirstFreeRecord(allocated: StackID($0.allocated), freed: StackID($0.freed)))
        }
    }

    func forked() -> TraceRecord? {
        fixed(gp_forked.self).map { .forked(ForkRecord(parent: $0.parent, lastStack: StackID($0.last_stack))) }
    }

    func listedObject() -> TraceRecord? {
        fixed(gp_listed_object.self).map {
            .listedObject(
                ListedObjectRecord(
                    address: $0.address, size: $0.size, type: TypeID($0.type), stack: StackID($0.stack),
                    born: $0.born_ns, died: $0.died_ns))
        }
    }

    func referenceCounting() -> TraceRecord? {
        fixed(gp_reference_counting.self).map {
            .sampling(
                .referenceCounting(
                    ReferenceCountingRecord(
                        call: .init(
                            stack: StackID($0.stack), type: TypeID($0.type),
                            releases: Int(header.flags) & GP_COUNTING_RELEASES != 0,
                            isAtomic: Int(header.flags) & GP_COUNTING_NONATOMIC == 0),
                        isSampled: Int(header.flags) & GP_COUNTING_SAMPLED != 0,
                        tally: .init(calls: $0.calls, changes: $0.changes, immortal: $0.immortal))))
        }
    }

    func threadTime() -> TraceRecord? {
        fixed(gp_thread_time.self).map {
            .sampling(
                .threadTime(
                    ThreadTimeRecord(thread: ThreadID($0.thread), cpu: $0.cpu_ns, system: $0.system_ns, lost: $0.lost)))
        }
    }
}

extension SampleRecord {
    /// Reads a cell of kind `GP_SAMPLE` or `GP_WAIT`.
    @usableFromInline init(cell bytes: UnsafeRawBufferPointer) {
        let raw = bytes.loadUnaligned(as: gp_sample.self)
        self.init(
            kind: Int(raw.kind) == GP_SAMPLE ? .computing : .waiting, isDiskWait: Int(raw.flags) & GP_SAMPLE_IO != 0,
            weight: raw.weight, stack: StackID(raw.stack), time: raw.ns)
    }
}
