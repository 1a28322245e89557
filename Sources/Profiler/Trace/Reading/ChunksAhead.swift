import Dispatch
import Synchronization

/// Chunks of a trace in a given order, loaded ahead on another thread: that takes about as long as what is done with their
/// records.
final class ChunksAhead {
    /// Holds the bytes of the chunk until it is given back.
    struct Loaded {
        let index: Int
        let reading: Chunk.Reading
        let buffer: UnsafeMutableRawBufferPointer
    }

    /// What is on its way from the other thread, in order.
    private final class Inbox: Sendable {
        private struct Content: @unchecked Sendable {
            var arrived: [Result<Loaded, any Error>] = []
        }

        private let content = Mutex(Content())
        private let arrivals = DispatchSemaphore(value: 0)

        func put(_ result: Result<Loaded, any Error>) {
            content.withLock { $0.arrived.append(result) }
            arrivals.signal()
        }

        func take() throws -> Loaded {
            arrivals.wait()
            return try content.withLock { $0.arrived.removeFirst() }.get()
        }

        deinit {
            for case .success(let chunk) in content.withLock({ $0.arrived }) { chunk.buffer.deallocate() }
        }
    }

    /// What only the other thread uses.
    private struct Loader: @unchecked Sendable {
        let reader: TraceReader
        let unpacking: TraceReader.Unpacking

        func load(_ index: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Loaded {
            do {
                let reading = try reader.load(index, into: buffer, unpacking)
                return Loaded(index: index, reading: reading, buffer: buffer)
            } catch {
                buffer.deallocate()
                throw error
            }
        }
    }

    /// Chunks that are loaded at once.
    private static let depth = 16
    /// A trace of fewer chunks is read before a thread for it runs.
    private static let fewest = 32

    private let loader: Loader
    private let indices: [Int]
    private let inbox = Inbox()
    private let queue: DispatchQueue?
    private var taken = 0
    private var requested = 0
    private var spare: [UnsafeMutableRawBufferPointer] = []

    init(_ reader: TraceReader, _ indices: [Int]) {
        loader = Loader(reader: reader, unpacking: TraceReader.Unpacking(reader.header))
        self.indices = indices
        queue = indices.count < Self.fewest ? nil : DispatchQueue(label: "chunks ahead")
    }

    deinit {
        for buffer in spare { buffer.deallocate() }
    }

    /// nil: that was the last.
    func next() throws -> Loaded? {
        guard taken < indices.count else { return nil }
        taken += 1
        guard let queue else { return try loader.load(indices[taken - 1], into: buffer()) }
        while requested < min(indices.count, taken - 1 + Self.depth) {
            nonisolated(unsafe) let buffer = buffer()
            queue.async { [inbox, loader, index = indices[requested]] in
                inbox.put(Result { try loader.load(index, into: buffer) })
            }
            requested += 1
        }
        return try inbox.take()
    }

    func giveBack(_ buffer: UnsafeMutableRawBufferPointer) { spare.append(buffer) }

    private func buffer() -> UnsafeMutableRawBufferPointer {
        spare.popLast() ?? .allocate(byteCount: loader.reader.header.chunkSize, alignment: 16)
    }
}
