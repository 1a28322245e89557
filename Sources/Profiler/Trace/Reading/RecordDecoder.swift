import CTraceFormat

/// Turns the bytes of one record into its value.
enum RecordDecoder {
    /// The record in `bytes` (as many as its cells); nil when its contents make no sense.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> TraceRecord? {
        guard let first = bytes.first, let fields = RecordFields(bytes) else { return nil }
        guard let kind = RecordKind(rawValue: first) else { return .unknown(kind: first, size: bytes.count) }
        switch kind {
        case .allocation: return fields.allocation()
        case .free: return fields.free().map { .free($0) }
        case .temporary: return fields.free().map { .temporary($0) }
        case .repetition: return fields.fixed(gp_repeat.self).map { .repetition($0.count) }
        case .time: return fields.fixed(gp_time.self).map { .time($0.ns) }
        case .thread: return fields.fixed(gp_thread_mark.self).map { .thread(ThreadID($0.thread)) }
        case .threadEnd: return fields.fixed(gp_thread_mark.self).map { .threadEnd(ThreadID($0.thread)) }
        case .frame: return fields.frame()
        case .type: return fields.type()
        case .resident: return fields.resident()
        case .lockHolder:
            return fields.fixed(gp_thread_mark.self).map { .sampling(.lockHolder(ThreadID($0.thread))) }
        case .unscheduled:
            return fields.fixed(gp_unscheduled.self).map {
                .sampling(.unscheduled(UnscheduledRecord(microseconds: $0.us, time: $0.ns)))
            }
        case .sample, .wait: return .sampling(.sample(SampleRecord(cell: bytes)))
        case .probeBegin, .probeEnd, .probeInterval, .probeStart, .probeSpan, .probeLongSpan, .probeEvent,
            .probeCounter, .probeFrame:
            return ProbeRecord(cell: bytes).map { .probe(.event($0)) }
        case .probeValue: return fields.fixed(gp_probe_value.self).map { .probe(.value($0.value)) }
        case .image: return fields.image(isLoaded: true)
        case .imageGone: return fields.image(isLoaded: false)
        case .typeName: return fields.typeName()
        case .threadName: return fields.threadName()
        case .threadStack: return fields.threadStack()
        case .program: return fields.program()
        case .programExit: return fields.programExit()
        case .crash: return fields.crash()
        case .loss: return fields.remark().map { .loss($0) }
        case .note: return fields.remark().map { .note($0) }
        case .symbolText: return fields.symbolText()
        case .symbol: return fields.symbol()
        case .symbolSource: return fields.symbolSource()
        case .environment: return fields.environment()
        case .heapBegin: return fields.heapBegin()
        case .heapCensus: return fields.heapCensus().map { .heap(.census($0)) }
        case .liveType: return fields.heapCensus().map { .liveType($0) }
        case .heapLost: return fields.heapCensus().map { .heap(.lost($0)) }
        case .residentMap: return fields.residentMap()
        case .residentRange: return fields.residentRange()
        case .heapPinned: return fields.heapCensus().map { .heap(.pinned($0)) }
        case .heapUntouched: return fields.heapCensus().map { .heap(.untouched($0)) }
        case .heapUnused: return fields.heapCensus().map { .heap(.unused($0)) }
        case .heapObject: return fields.heapObject()
        case .heapReference: return fields.heapReference()
        case .heapRoot: return fields.heapRoot().map { .heap(.root($0)) }
        case .heapNodes: return fields.heapNodes()
        case .heapLabel: return fields.heapLabel()
        case .heapGraphRoot: return fields.heapRoot().map { .heap(.graphRoot($0)) }
        case .heapTarget: return fields.heapTarget()
        case .heapEnd: return fields.heapEnd()
        case .heapImage: return fields.heapImage()
        case .tasks: return fields.tasks()
        case .task: return fields.task()
        case .zombie: return fields.zombie()
        case .zombieSummary: return fields.zombieSummary()
        case .countChange: return fields.countChange()
        case .sampling: return fields.sampling()
        case .threadTime: return fields.threadTime()
        case .work: return fields.work()
        case .blockSampling: return fields.blockSampling()
        case .sampledLive: return fields.sampledLive()
        case .failedAllocation: return fields.failedAllocation()
        case .listedObject: return fields.listedObject()
        case .firstFree: return fields.firstFree()
        case .forked: return fields.forked()
        case .referenceCounting: return fields.referenceCounting()
        case .probeName: return fields.probeName()
        case .clock: return fields.clock()
        case .log: return fields.logLine()
        case .mark: return fields.mark()
        case .generation: return fields.generation()
        case .expectation: return fields.expectation()
        case .fileName: return fields.fileName()
        case .fileUse: return fields.fileUse()
        case .openFile: return fields.openFile()
        }
    }
}
