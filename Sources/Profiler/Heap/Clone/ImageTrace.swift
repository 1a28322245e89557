import GameprofBasics
import GameprofTrace

/// What images of one process say of its heap at several moments, as a trace that grows by a snapshot for each.
package struct ImageTrace {
    private var trace: NewTrace
    private var types = TypeTable()
    private var lastType = TypeID.none
    private var images: Set<ImageRecord> = []
    private var threads: [ThreadID: String] = [:]
    private var notes: Set<String> = []
    private let start: UInt64
    private var time: UInt64 = 0
    private var count: UInt32 = 0

    /// - Parameter first: made of the image that `append` will be given first.
    /// - Throws: `TraceError`.
    package init(path: String, first: Recording) throws {
        start = first.startUnixNanoseconds
        let facts = first.environment.sorted { $0.key < $1.key }.map {
            EnvironmentRecord.Fact(name: $0.key, value: $0.value)
        }
        trace = try NewTrace(
            path: path, program: first.program ?? ProgramRecord(executable: "?"), facts: facts,
            startUnixNanoseconds: start)
    }

    /// Writes the snapshot of a recording, which has one.
    /// - Throws: `TraceError`.
    package mutating func append(_ recording: Recording) throws {
        guard var snapshot = recording.heapSnapshots.first else { return }
        count += 1
        time = max(time, recording.startUnixNanoseconds &- min(start, recording.startUnixNanoseconds))
        trace.follow(time: time)
        for image in recording.images.images.map(\.record) where images.insert(image).inserted {
            trace.append(RecordBytes.image(image))
        }
        for (thread, name) in recording.threadNames.sorted(by: { $0.key < $1.key }) where threads[thread] != name {
            threads[thread] = name
            trace.append(RecordBytes.threadName(ThreadNameRecord(thread: thread, name: name)))
        }
        if count == 1 { appendEnd(of: recording) }
        let numbers = types.merge(recording.types)
        let new = types.records(above: lastType)
        for type in new.types { trace.append(RecordBytes.type(type)) }
        for name in new.names { trace.append(RecordBytes.typeName(name)) }
        lastType = new.types.last?.id ?? lastType
        (snapshot.begin.snapshot, snapshot.begin.time) = (SnapshotID(rawValue: count), time)
        snapshot.end?.snapshot = snapshot.begin.snapshot
        try write(snapshot, numbers)
        for sentence in recording.capture.notes { note(sentence) }
        try trace.flush()
    }

    /// What ended the process, and where its threads stood.
    private mutating func appendEnd(of recording: Recording) {
        for id in 1..<UInt32(max(recording.frames.count, 1)) {
            if let frame = recording.frames.frame(FrameID(id)) { trace.append(RecordBytes.frame(frame)) }
        }
        for stack in recording.threadStacks { trace.append(RecordBytes.threadStack(stack)) }
        if let crash = recording.crash { trace.append(RecordBytes.crash(crash)) }
    }

    private mutating func write(_ snapshot: HeapSnapshot, _ numbers: [TypeID: TypeID]) throws {
        var trace = self.trace
        func take(_ record: TraceRecord.Heap) throws {
            trace.append(RecordBytes.heap(record))
            try trace.flush()
        }
        try take(.begin(snapshot.begin))
        for var row in snapshot.census {
            row.type = numbers[row.type] ?? .none
            try take(.census(row))
        }
        try SnapshotRecords(numbers, nil, keepsUnread: true, take: take).add(snapshot)
        if var end = snapshot.end {
            if let unread = snapshot.unread {
                (end.isCutShort, end.hasUnread, end.reason) = (true, true, unread)
            }
            try take(.end(end))
        }
        self.trace = trace
    }

    /// Something that the reader of a report should know.
    package mutating func note(_ sentence: String) {
        guard notes.insert(sentence).inserted else { return }
        trace.append(RecordBytes.note(RemarkRecord(sentence: sentence)))
    }

    /// - Throws: `TraceError`.
    package mutating func finish() throws { try trace.finish(time: time) }
}
