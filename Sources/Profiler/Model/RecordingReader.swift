import TraceFile

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
    private var starts: [TimeOrder.Start] = []
    private var lastTime: UInt64 = 0

    /// Reads the trace at `path`. `progress` is told a share from 0 to 1 now and then.
    /// - Throws: `TraceError`.
    public static func read(path: String, progress: @escaping (Double) -> Void = { _ in }) throws -> Recording {
        var reading = RecordingReader(try TraceReader(path: path), progress)
        return try reading.read()
    }

    /// Reads all but the allocations: the heap's snapshots and what is needed to name their objects. The recording may
    /// still be going on.
    public static func readHeap(path: String) throws -> Recording {
        var reading = RecordingReader(try TraceReader(path: path), skipsBlockEvents: true) { _ in }
        try reading.scanAll()
        reading.recording.heapSnapshots = reading.snapshots.finish()
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
        for index in 0..<reader.chunkCount {
            if index % 256 == 0 { progress(Double(index) / Double(reader.chunkCount) / 2) }
            let reader = reader
            try reader.withChunk(index) { chunk in
                starts.append(TimeOrder.Start(index: index, time: chunk.startTime, sequence: chunk.sequence))
                scan(chunk)
            }
        }
    }

    private mutating func read() throws -> Recording {
        try scanAll()
        recording.heapSnapshots = snapshots.finish()
        let census = recording.heapSnapshots.last { $0.begin.trigger == .atExit }?.census ?? []
        for entry in census { survey.note(stack: entry.stack.rawValue, type: entry.type.rawValue) }
        var counter = AllocationCounter(survey: survey, census: census)
        try counter.count(TimeOrder(reader: reader, starts: starts)) { done in progress(0.5 + done / 2) }
        recording.allocations = counter.summary()
        recording.probes = probes.summary()
        conclude()
        progress(1)
        return recording
    }

    private mutating func scan(_ chunk: Chunk) {
        var cursor = RecordCursor(chunk)
        var thread = chunk.thread
        var probing = probes.thread(thread)
        var temporarySize: UInt64 = 0
        var work: Int32 = -1
        while true {
            if skipsBlockEvents { cursor.skipBlockEvents() }
            guard let bytes = cursor.next() else { break }
            switch EventKind(rawValue: bytes[0]) {
            case .allocation:
                recording.capture.events &+= 1
                probing.allocations &+= 1
                probing.bytes &+= AllocationEvent.size(bytes)
            case .free:
                recording.capture.events &+= 1
                survey.note(event: bytes)
            case .temporary:
                recording.capture.events &+= 2
                survey.note(event: bytes)
                temporarySize = AllocationEvent.size(bytes)
                probing.allocations &+= 1
                probing.bytes &+= temporarySize
            case .repetition:
                let count = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                recording.capture.events &+= count.multipliedReportingOverflow(by: 2).partialValue
                probing.allocations &+= count
                probing.bytes &+= count &* temporarySize
            case .time:
                lastTime = max(lastTime, bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            case .sample, .wait:
                recording.samples.add(SampleRecord(cell: bytes), thread: thread, work: work)
            case nil where ProbeRecord.isCell(kind: bytes[0]):
                probes.note(cell: bytes, on: probing)
            case nil:
                guard let record = reader.record(bytes) else { continue }
                if case .work(let next) = record { work = recording.samples.index(of: next) }
                if case .thread(let next) = record {
                    thread = next
                    work = -1
                    probing = probes.thread(next)
                }
                note(record, in: chunk)
            }
        }
        if cursor.isBroken { reader.noteBroken() }
        lastTime = max(lastTime, chunk.startTime)
    }

    private mutating func note(_ record: TraceRecord, in chunk: Chunk) {
        switch record {
        case .frame(let frame): recording.frames.add(frame)
        case .type(let type): recording.types.add(type)
        case .typeName(let name): recording.types.add(name)
        case .image(let image): recording.images.add(image)
        case .threadName(let name): recording.threadNames[name.thread] = name.name
        case .program(let program): recording.program = recording.program ?? program
        case .programExit(let exit): recording.exit = exit
        case .loss(let loss):
            recording.capture.dropped &+= loss.events
            recording.capture.problems.append(loss.sentence)
        case .note(let note): recording.capture.notes.append(note.sentence)
        case .zombie(let zombie): recording.zombies.append(zombie)
        case .zombieSummary(let summary): recording.zombieSummary = summary
        case .countChange(let change): recording.countChanges.append(change)
        case .sampling(let sampling): recording.sampling = sampling
        case .threadTime(let time): recording.threadTimes.append(time)
        case .probeName(let name): probes.note(name)
        case .clock(let clock): probes.note(clock)
        case .log(let line): recording.log.append(line)
        case .mark(let mark): recording.marks.append(mark)
        default: snapshots.note(record)
        }
    }

    private mutating func conclude() {
        recording.log.sort { $0.time < $1.time }
        recording.marks.sort { $0.generation < $1.generation }
        recording.capture.problems += recording.probes.problem.map { [$0] } ?? []
        recording.startUnixNanoseconds = reader.header.startUnixNanoseconds
        recording.wallNanoseconds = recording.exit.map(\.wall).flatMap { $0 > 0 ? $0 : nil } ?? lastTime
        recording.capture.dropped = max(recording.capture.dropped, reader.droppedEvents)
        recording.capture.unknownRecords = reader.unknownRecords
        recording.capture.isCut = reader.header.isCut
        recording.capture.isTruncated = !reader.header.isFinished || reader.header.isCut || !reader.damage.isNone
        recording.capture.problems += reader.stopSentence.map { [$0] } ?? []
        recording.capture.problems += reader.damage.sentences
        if !reader.header.isFinished && reader.damage.isNone && reader.stopSentence == nil {
            recording.capture.problems.append("The recording was cut off before it was finished.")
        }
        for snapshot in recording.heapSnapshots.dropLast() {
            guard let reason = snapshot.unsoundReason else { continue }
            let number = snapshot.begin.snapshot.rawValue
            recording.capture.problems.append("Heap snapshot \(number) says nothing: \(reason).")
        }
    }
}

/// Fields of the cells of allocations, read without making a record of them.
enum AllocationEvent {
    /// Requested bytes.
    static func size(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let first = bytes.loadUnaligned(as: UInt64.self)
        return first >> 32 | (first >> 16 & 0xffff) << 32
    }
}

/// The records that come by the million, by the first byte.
enum EventKind: UInt8 {
    case allocation = 1
    case free = 2
    case temporary = 3
    case repetition = 4
    case time = 5
    case sample = 0x10
    case wait = 0x11
}
