import CTraceFormat

/// Fills chunks with records, one after another.
package struct ChunkEncoder {
    /// Whole chunks, `GP_CHUNK_SIZE` bytes each.
    package private(set) var chunks: [[UInt8]] = []
    private var sequence: UInt64
    private var current: [UInt8] = []
    private var header = gp_chunk_header()

    /// - Parameter sequence: the place of the first chunk in the trace.
    package init(firstSequence sequence: UInt64 = 1) { self.sequence = sequence }

    /// Begins a new chunk.
    package mutating func begin(thread: ThreadID, time: UInt64) {
        finish()
        self.thread = thread
        self.time = time
        header = gp_chunk_header(
            magic: GP_CHUNK_MAGIC, used: 0, sequence: sequence, start_ns: time, thread: thread.rawValue, reserved: 0)
        sequence += 1
        current = [UInt8](repeating: 0, count: MemoryLayout<gp_chunk_header>.size)
    }

    /// Thread and time with which the next chunk begins when a record does not fit.
    private var thread = ThreadID.none
    private var time: UInt64 = 0

    /// Notes that what follows happened at this time.
    package mutating func follow(time: UInt64) { self.time = time }

    /// Notes that what follows was done by this thread.
    package mutating func follow(thread: ThreadID) { self.thread = thread }

    /// Appends a record; one that does not fit begins a chunk of the same thread and time.
    package mutating func append(_ record: [UInt8]) {
        if current.isEmpty { begin(thread: .none, time: 0) }
        if current.count + record.count > Int(GP_CHUNK_SIZE) {
            begin(thread: thread, time: time)
        }
        current.append(contentsOf: record)
    }

    /// Gives away the chunks that are full.
    package mutating func take() -> [[UInt8]] {
        defer { chunks = [] }
        return chunks
    }

    /// Closes the last chunk.
    package mutating func finish() {
        guard !current.isEmpty else { return }
        header.used = UInt32(current.count)
        withUnsafeBytes(of: header) { current.replaceSubrange(0..<$0.count, with: $0) }
        current += [UInt8](repeating: 0, count: Int(GP_CHUNK_SIZE) - current.count)
        chunks.append(current)
        current = []
    }
}
