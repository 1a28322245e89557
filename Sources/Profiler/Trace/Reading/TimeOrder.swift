/// Walks the chunks of a trace in the order of time, although threads wrote them side by side. The order is exact for
/// the events of one thread; between threads it is as fine as the time records in their chunks.
public final class TimeOrder {
    /// When a chunk's records begin.
    public struct Start {
        /// Number of the block for `TraceReader`.
        public var index: Int
        public var time: UInt64
        public var sequence: UInt64

        public init(index: Int, time: UInt64, sequence: UInt64) {
            self.index = index
            self.time = time
            self.sequence = sequence
        }
    }

    /// A chunk that is being walked through.
    public struct Cursor {
        public let bytes: UnsafeRawBufferPointer
        public let sequence: UInt64
        /// Of the next record in `bytes`.
        public var offset: Int
        /// Of the next record, in nanoseconds since recording began.
        public var time: UInt64

        fileprivate let buffer: UnsafeMutableRawBufferPointer
    }

    /// Chunks that may be open at once: one for each thread that runs at the time. Beyond it, order gives way to memory.
    static let openLimit = 2048

    private let starts: [Start]
    private let chunks: ChunksAhead
    private var next = 0
    private var open: [Cursor] = []

    /// Prepares a walk over the chunks in `starts`.
    public init(reader: TraceReader, starts: [Start]) {
        self.starts = starts.sorted { ($0.time, $0.sequence) < ($1.time, $1.sequence) }
        chunks = ChunksAhead(reader, self.starts.map(\.index))
    }

    deinit {
        for cursor in open { cursor.buffer.deallocate() }
    }

    /// How much of the walk is done, from 0 to 1.
    public var share: Double { starts.isEmpty ? 1 : Double(next) / Double(starts.count) }

    /// Calls `body` with runs of one chunk's records. `body` handles records from `cursor.offset` on as long as their
    /// time is at most `limit`, advances the cursor past them and returns true when the chunk is through.
    public func forEachRun(_ body: (_ cursor: inout Cursor, _ limit: UInt64) throws -> Bool) throws {
        while true {
            try openChunks()
            guard let first = indexOfFirst() else { return }
            let limit = open.count >= Self.openLimit ? UInt64.max : limit(besides: first)
            if try body(&open[first], limit) {
                chunks.giveBack(open[first].buffer)
                open.remove(at: first)
            }
        }
    }

    /// Opens every chunk that begins before the earliest open cursor goes on.
    private func openChunks() throws {
        while next < starts.count, open.count < Self.openLimit,
            open.isEmpty || starts[next].time <= open.lazy.map(\.time).min() ?? 0
        {
            guard let loaded = try chunks.next() else { return }
            if case .chunk(let chunk, _) = loaded.reading {
                open.append(
                    Cursor(
                        bytes: chunk.bytes, sequence: chunk.sequence, offset: Chunk.headerSize, time: chunk.startTime,
                        buffer: loaded.buffer))
            } else {
                chunks.giveBack(loaded.buffer)
            }
            next += 1
        }
    }

    private func indexOfFirst() -> Int? {
        open.indices.min { (open[$0].time, open[$0].sequence) < (open[$1].time, open[$1].sequence) }
    }

    private func limit(besides first: Int) -> UInt64 {
        var limit = next < starts.count ? starts[next].time : UInt64.max
        for index in open.indices where index != first { limit = min(limit, open[index].time) }
        return max(limit, open[first].time)
    }
}
