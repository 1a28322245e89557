/// What the trace of a running program says so far: figures by part of the run, and what names its functions and objects.
/// Memory is bounded by what the program is (its functions, types, threads and names), and not by how long it runs.
///
/// For one thread at a time.
package final class LiveRecording {
    /// Frames of the stack tree beyond this many are not named.
    private static let frameLimit: UInt32 = 1 << 20
    private static let (stackLimit, threadLimit, markLimit, noteLimit) = (1 << 17, 4_096, 1_000, 20)

    package private(set) var timeline = LiveTimeline()
    package let probes = LiveProbes()
    package private(set) var program: ProgramRecord?
    package private(set) var images = ImageMap()
    package private(set) var frames = FrameTree(highestID: LiveRecording.frameLimit)
    package private(set) var threadNames: [ThreadID: String] = [:]
    package private(set) var marks: [MarkRecord] = []
    /// Sentences for the reader of the report.
    package private(set) var notes: [String] = []
    /// Periods of CPU time by stack, since they were taken last.
    private var samples: [StackID: UInt64] = [:]
    private var types = TypeTable()
    private var period: UInt64 = 1_000_000
    /// Mean bytes between two sampled blocks; nil: all are recorded.
    private var mean: UInt64?
    private var assembler = SnapshotAssembler(keeping: .rootsAlone)
    private var finished: [HeapSnapshot] = []
    private let trace: GrowingTrace

    /// - Throws: `TraceError`: no program is writing it yet, or it is none.
    package init(path: String) throws { trace = try GrowingTrace(path: path) }

    /// Wall clock when recording began, in nanoseconds since 1970.
    package var startUnixNanoseconds: UInt64 { trace.header.startUnixNanoseconds }

    /// Nanoseconds of CPU time between two samples.
    package var samplePeriod: UInt64 { period }

    /// Whether blocks are sampled: the figures are estimates.
    package var isSampled: Bool { mean != nil }

    /// Reads what the trace has gained.
    package func look() throws {
        timeline.beginLook()
        try trace.readNew { bytes, place in try self.read(bytes, &place) }
        for frame in probes.frames() {
            timeline.add(1, to: .frames(frame.loop), at: frame.end)
            timeline.add(Double(frame.took), to: .longestFrame(frame.loop), at: frame.end)
        }
    }

    /// What the kernel says of the process now. `time`: nanoseconds since recording began.
    package func note(residentBytes: UInt64?, at time: UInt64) {
        timeline.advance(to: time)
        if let residentBytes { timeline.add(Double(residentBytes), to: .resident, at: time) }
    }

    /// What the kernel calls a thread that still runs.
    package func note(name: String, of thread: ThreadID) {
        if threadNames[thread] != nil || threadNames.count < Self.threadLimit { threadNames[thread] = name }
    }

    /// Bytes of live blocks that the parts do not hold, since their threads have recorded nothing behind them.
    package var liveBytesAtTheEnds: Double { trace.lastBlocks.reduce(0) { $0 + weight($1).bytes } }

    /// The samples since the last call.
    package func takeSamples() -> [StackID: UInt64] {
        defer { samples = [:] }
        return samples
    }

    /// The heap snapshots that were finished since the last call, each with what names its objects.
    package func takeSnapshots() -> [Recording] {
        defer { finished = [] }
        return finished.map { snapshot in
            var recording = Recording()
            recording.program = program
            (recording.images, recording.frames, recording.types) = (images, frames, types)
            recording.threadNames = ThreadTitles.of(threadNames, program: program)
            recording.startUnixNanoseconds = startUnixNanoseconds
            recording.heapSnapshots = [snapshot]
            return recording
        }
    }

    // MARK: - Records

    /// Blocks at one time.
    private struct BlockSums {
        var allocated = 0.0
        var freed = 0.0
        var allocations = 0.0
    }

    private func weight(_ size: UInt64) -> (count: Double, bytes: Double) {
        guard let mean else { return (1, Double(size)) }
        let weight = BlockWeight(size: size, mean: mean)
        return (weight.count, weight.bytes)
    }

    private func add(_ sums: inout BlockSums, at time: UInt64) {
        timeline.add(sums.allocated, to: .allocated, at: time)
        timeline.add(sums.freed, to: .freed, at: time)
        timeline.add(sums.allocations, to: .allocations, at: time)
        sums = BlockSums()
    }

    private func read(_ bytes: UnsafeRawBufferPointer, _ place: inout GrowingTrace.Place) throws {
        var cursor = RecordCursor(bytes, from: place.offset)
        var sums = BlockSums()
        while let record = cursor.next() {
            if let event = BlockEvent(record) {
                if event.kind == .time {
                    add(&sums, at: place.time)
                    place.time = event.time
                } else {
                    note(event, &sums, &place.temporary)
                }
                continue
            }
            switch FrequentRecord(record) {
            case .sample(let sample): note(sample, on: place.thread)
            case .probe(let probe): probes.note(probe, on: place.thread)
            case .probeValue(let value): probes.note(value: value, on: place.thread)
            case nil:
                guard let record = RecordDecoder.decode(record) else { continue }
                if case .thread(let next) = record { place.thread = next }
                try note(record)
            }
        }
        add(&sums, at: place.time)
    }

    @inline(__always)
    private func note(_ event: BlockEvent, _ sums: inout BlockSums, _ temporary: inout UInt64) {
        switch event.kind {
        case .allocation:
            let weight = weight(event.size)
            sums.allocated += weight.bytes
            sums.allocations += weight.count
        case .free: sums.freed += weight(event.size).bytes
        case .temporary, .repetition:
            if event.kind == .temporary { temporary = event.size }
            let weight = weight(temporary)
            let times = event.kind == .temporary ? 1 : Double(event.count)
            sums.allocated += weight.bytes * times
            sums.freed += weight.bytes * times
            sums.allocations += weight.count * times
        case .time: break
        }
    }

    private func note(_ sample: SampleRecord, on thread: ThreadID) {
        guard sample.kind == .computing else { return }
        timeline.add(Double(sample.weight) * Double(period), to: .cpu(thread), at: sample.time)
        if samples[sample.stack] != nil || samples.count < Self.stackLimit {
            samples[sample.stack, default: 0] += UInt64(sample.weight)
        }
    }

    private func note(_ record: TraceRecord) throws {
        switch record {
        case .frame(let frame): frames.add(frame)
        case .type(let type): types.add(type)
        case .typeName(let name): types.add(name)
        case .image(let image): images.add(image)
        case .resident(let memory): timeline.add(Double(memory.bytes), to: .resident, at: memory.time)
        case .threadName(let name): note(name: name.name, of: name.thread)
        case .threadEnd(let thread): probes.end(thread)
        case .program(let program): self.program = self.program ?? program
        case .loss(let remark), .note(let remark):
            if notes.count < Self.noteLimit, !notes.contains(remark.sentence) { notes.append(remark.sentence) }
        case .heap(let heap):
            try assembler.note(heap)
            guard case .end = heap else { return }
            finished += assembler.finish()
            assembler = SnapshotAssembler(keeping: .rootsAlone)
        case .sampling(.method(let method)): period = max(1, method.period)
        case .sampling(.blocks(let sampling)): mean = sampling.mean
        case .probe(.name(let name)): probes.note(name)
        case .probe(.clock(let clock)): probes.note(clock)
        case .probe(.mark(let mark)): if marks.count < Self.markLimit { marks.append(mark) }
        default: break
        }
    }
}
