/// Reads a whole recording in two passes over its trace: the first learns frames, types, images and snapshots, the
/// second counts allocations in the order of time. Memory does not grow with the number of events.
public struct RecordingReader {
    private let reader: TraceReader
    private let progress: (Double) -> Void
    /// Allocations and frees are not looked at.
    private let skipsBlockEvents: Bool
    private var recording = Recording()
    private var snapshots = SnapshotAssembler()
    private var survey: StackTypeSurvey
    private var probes = ProbeCollector()
    private var timeline = ProbeTimelineReader()
    private var blockSampling: BlockSamplingRecord?
    private var liveSamples: [SampledLiveRecord] = []
    /// Of a program that ended without a snapshot.
    private var liveTypes: [HeapCensusRecord] = []
    private var starts: [TimeOrder.Start] = []
    private var lastTime: UInt64 = 0
    private var unscheduledCount = 0
    /// A machine with too few processors gives 100 each second for each thread.
    private static let mostUnscheduled = 1 << 18

    /// Reads the trace at `path`. `progress` receives a share from 0 to 1 now and then.
    /// `keepsImages`: of heaps that nobody has searched yet, for who searches them.
    /// `room`: bytes that the heaps' graphs and their analysis may take; nil: as many as they need.
    /// - Throws: `TraceError`, `HeapTooLarge`.
    public static func read(
        path: String, graphs: KeptGraphs = .all, keepsImages: Bool = false, room: UInt64? = nil,
        progress: @escaping (Double) -> Void = { _ in }
    ) throws -> Recording {
        var reading = RecordingReader(try TraceReader(path: path), progress)
        (reading.snapshots.kept, reading.snapshots.room) = (graphs, room)
        reading.snapshots.keepsImages = keepsImages
        return try reading.read()
    }

    /// Reads all but the allocations: the heap's snapshots and what is needed to name their objects. The recording may
    /// still be going on.
    /// - Throws: `TraceError`, `HeapTooLarge`.
    public static func readHeap(
        path: String, graphs: KeptGraphs = .all, keepsImages: Bool = false, room: UInt64? = nil
    ) throws -> Recording {
        var reading = RecordingReader(try TraceReader(path: path), skipsBlockEvents: true) { _ in }
        (reading.snapshots.kept, reading.snapshots.room) = (graphs, room)
        reading.snapshots.keepsImages = keepsImages
        try reading.scanAll()
        reading.recording.heapSnapshots = reading.snapshots.finish()
        reading.recording.startUnixNanoseconds = reading.reader.header.startUnixNanoseconds
        return reading.recording
    }

    private init(
        _ reader: TraceReader, skipsBlockEvents: Bool = false, _ progress: @escaping (Double) -> Void
    ) {
        self.reader = reader
        self.skipsBlockEvents = skipsBlockEvents
        self.progress = progress
        let cells = UInt64(reader.chunkCount + 16) * UInt64(reader.header.chunkSize / 16)
        let highestID = UInt32(min(cells, 1 << 27))
        recording.frames = FrameTree(highestID: highestID)
        survey = StackTypeSurvey(highestID: highestID)
    }

    private mutating func scanAll() throws {
        let reader = reader
        try reader.forEachChunk { index, chunk in
            if index % 256 == 0 { progress(Double(index) / Double(reader.chunkCount) / 2) }
            starts.append(TimeOrder.Start(index: index, time: chunk.startTime, sequence: chunk.sequence))
            try scan(chunk)
        }
    }

    private mutating func read() throws -> Recording {
        try scanAll()
        recording.heapSnapshots = snapshots.finish()
        let last = recording.heapSnapshots.last { $0.begin.trigger == .atExit }
        var census = last?.census ?? []
        if census.isEmpty { census = liveTypes }
        if liveSamples.isEmpty && blockSampling != nil {
            liveSamples = liveTypes.map { SampledLiveRecord(type: $0.type, stack: $0.stack, size: $0.bytes) }
        }
        for entry in census { survey.note(stack: entry.stack.rawValue, type: entry.type.rawValue) }
        for entry in liveSamples { survey.note(stack: entry.stack.rawValue, type: entry.type.rawValue) }
        let sampled = blockSampling.map { SampledCounter(mean: $0.mean, live: liveSamples) }
        var counter = AllocationCounter(
            survey: survey, census: census,
            span: [lastTime, endOfProgram, last?.begin.time].compactMap(\.self).filter { $0 > 0 }.min() ?? 0,
            events: recording.capture.events, sampled: sampled,
            looks: MemoryWarningMarks.pairs(recording.marks).flatMap { [$0.before.time, $0.after.time] },
            jobs: Set(recording.types.ids.filter { recording.types.kind($0) == .job }))
        try counter.count(TimeOrder(reader: reader, starts: starts)) { done in progress(0.5 + done / 2) }
        recording.allocations = counter.summary()
        recording.probes = probes.summary()
        recording.probeTimeline = timeline.timeline()
        conclude()
        progress(1)
        return recording
    }

    private mutating func scan(_ chunk: Chunk) throws {
        var cursor = RecordCursor(chunk)
        var thread = chunk.thread
        var probing = probes.thread(thread)
        var temporary: (size: UInt64, stack: StackID) = (0, .none)
        var work: Int32 = -1
        var holder = ThreadID.none
        while true {
            if skipsBlockEvents { cursor.skipBlockEvents() }
            guard let bytes = cursor.next() else { break }
            if let event = BlockEvent(bytes) {
                note(event, on: probing, &temporary)
                continue
            }
            switch FrequentRecord(bytes) {
            case .sample(let sample):
                recording.samples.add(sample, thread: thread, work: work, holder: holder)
                holder = .none
            case .probe(let probe):
                probes.note(probe, on: probing)
                timeline.note(probe, on: thread)
            case .probeValue(let value):
                probes.note(value: value, on: probing)
                timeline.note(value: value, on: thread)
            case nil:
                guard let record = reader.record(bytes) else { continue }
                if case .sampling(.work(let next)) = record { work = recording.samples.index(of: next) }
                if case .sampling(.lockHolder(let next)) = record { holder = next }
                if case .sampling(.unscheduled(let wait)) = record, unscheduledCount < Self.mostUnscheduled {
                    recording.unscheduled[thread, default: []].append(wait)
                    unscheduledCount += 1
                }
                if case .thread(let next) = record {
                    thread = next
                    work = -1
                    probing = probes.thread(next)
                }
                try note(record)
            }
        }
        if cursor.isBroken { reader.noteBroken() }
        lastTime = max(lastTime, chunk.startTime)
    }

    /// - Parameter temporary: the last temporary block of the chunk.
    @inline(__always)
    private mutating func note(
        _ event: BlockEvent, on thread: ThreadProbes, _ temporary: inout (size: UInt64, stack: StackID)
    ) {
        switch event.kind {
        case .allocation:
            recording.capture.events &+= 1
            thread.allocations &+= 1
            thread.bytes &+= event.size
            thread.allocated(at: event.stack, 1, bytes: event.size)
        case .free:
            recording.capture.events &+= 1
            survey.note(stack: event.stack.rawValue, type: event.type.rawValue)
        case .temporary:
            recording.capture.events &+= 2
            survey.note(stack: event.stack.rawValue, type: event.type.rawValue)
            temporary = (event.size, event.stack)
            thread.allocations &+= 1
            thread.bytes &+= event.size
            thread.allocated(at: event.stack, 1, bytes: event.size)
        case .repetition:
            recording.capture.events &+= event.count.multipliedReportingOverflow(by: 2).partialValue
            thread.allocations &+= event.count
            thread.bytes &+= event.count &* temporary.size
            thread.allocated(at: temporary.stack, event.count, bytes: event.count &* temporary.size)
        case .time: lastTime = max(lastTime, event.time)
        }
    }

    private mutating func note(_ record: TraceRecord) throws {
        switch record {
        case .frame(let frame): recording.frames.add(frame)
        case .type(let type): recording.types.add(type)
        case .typeName(let name): recording.types.add(name)
        case .image(let image): recording.images.add(image)
        case .resident(let memory): recording.residentMemory.add(memory)
        case .environment(let record):
            for fact in record.facts { recording.environment[fact.name] = fact.value }
        case .threadName(let name): recording.threadNames[name.thread] = name.name
        case .threadStack(let stack): recording.threadStacks.append(stack)
        case .program(let program): recording.program = recording.program ?? program
        case .programExit(var exit):
            // The recorder's own ends before its search, that of who waited for the process after it.
            if let known = endOfProgram { exit.wall = exit.wall > 0 ? min(exit.wall, known) : known }
            recording.exit = exit
        case .crash(let crash): recording.crash = crash
        case .loss(let loss):
            recording.capture.dropped &+= loss.events
            recording.capture.problems.append(loss.sentence)
        case .note(let note): recording.capture.notes.append(note.sentence)
        case .symbol(let record): recording.symbols.add(record)
        case .heap(let record): try snapshots.note(record)
        case .liveType(let census): liveTypes.append(census)
        case .firstFree(let free): recording.firstFrees[free.allocated] = free.freed
        case .forked(let fork): recording.fork = fork
        case .failedAllocation(let failed): recording.failedAllocation = recording.failedAllocation ?? failed
        case .listedObject(let object): recording.objects.add(object)
        case .zombie(.use(let zombie)): recording.zombies.append(zombie)
        case .zombie(.summary(let summary)): recording.zombieSummary = summary
        case .zombie(.countChange(let change)): recording.countChanges.append(change)
        case .sampling(.method(let method)): recording.sampling = method
        case .sampling(.threadTime(let time)): recording.threadTimes.append(time)
        case .sampling(.blocks(let sampling)): blockSampling = sampling
        case .sampling(.liveBlock(let block)): liveSamples.append(block)
        case .sampling(.referenceCounting(let record)): recording.referenceCounts.add(record)
        case .probe(.name(let name)):
            probes.note(name)
            timeline.note(name)
        case .probe(.clock(let clock)):
            probes.note(clock)
            timeline.note(clock)
        case .probe(.log(let line)): recording.log.append(line)
        case .probe(.mark(let mark)): recording.marks.append(mark)
        case .file(let record): recording.files.add(record)
        // The walk over the chunk takes these; the reader counts what it does not know.
        case .allocation, .free, .temporary, .repetition, .time, .thread, .threadEnd, .sampling(.sample),
            .sampling(.work), .sampling(.lockHolder), .sampling(.unscheduled), .probe(.event), .probe(.value), .unknown:
            break
        }
    }

    /// Before the search at exit; nil: not recorded.
    private var endOfProgram: UInt64? { recording.exit.map(\.wall).flatMap { $0 > 0 ? $0 : nil } }

    private mutating func conclude() {
        recording.threadNames = ThreadTitles.of(recording.threadNames, program: recording.program)
        recording.log.sort { $0.time < $1.time }
        recording.marks.sort { $0.generation < $1.generation }
        recording.capture.problems += recording.probes.problem.map { [$0] } ?? []
        recording.startUnixNanoseconds = reader.header.startUnixNanoseconds
        recording.wallNanoseconds = endOfProgram ?? lastTime
        recording.capture.dropped = max(recording.capture.dropped, reader.droppedEvents)
        recording.capture.unknownRecords = reader.unknownRecords
        recording.capture.isCut = reader.header.isCut
        recording.capture.isTruncated =
            !reader.header.isFinished || reader.header.isCut || !reader.damage.isNone
            || recording.heapSnapshots.contains { $0.unread != nil }
        recording.capture.problems += reader.stopSentence.map { [$0] } ?? []
        recording.capture.problems += reader.damage.sentences
        if !reader.header.isFinished && reader.damage.isNone && reader.stopSentence == nil {
            recording.capture.problems.append("The recording is incomplete.")
        }
        for snapshot in recording.heapSnapshots.dropLast() {
            guard let reason = snapshot.unsoundReason else { continue }
            let number = snapshot.begin.snapshot.rawValue
            recording.capture.problems.append("Heap snapshot \(number) gives no result: \(reason).")
        }
    }
}
