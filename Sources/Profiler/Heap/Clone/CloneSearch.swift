import CTraceFormat
import Foundation
import GameprofBasics
import GameprofTrace

/// Searches the heap of a frozen copy that has connected itself, and tells it what was found.
enum CloneSearch {
    private static let lookSeconds = 5.0
    private static let progressStack = 256 << 10

    /// - Parameters:
    ///   - growth: what copies of processes before have counted.
    ///   - seeksTasks: what tasks wait for is looked for, however large the heap is.
    ///   - willAnswer: called before the copy is told the result, or why there is none.
    static func run(
        _ connection: SearchConnection, _ growth: GrowthOfProcesses, seeksTasks: Bool = false,
        willAnswer: () -> Void = {}
    ) {
        // The copy gives up where it hears nothing for a minute. A timer of Dispatch would take descriptors, of which there may be few.
        let (end, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isMade = startThread(stackSize: progressStack, isDetached: true) {
            while end.wait(timeout: .now() + lookSeconds) == .timedOut {
                try? connection.send(Int(GP_SEARCH_PROGRESS))
            }
            ended.signal()
        }
        defer {
            end.signal()
            if isMade != nil { ended.wait() }
        }
        guard let (word, bytes) = try? answer(connection, growth, seeksTasks) else { return }
        willAnswer()
        try? bytes.withUnsafeBytes { try connection.send(word, $0) }
    }

    /// The last message to the copy. What the search has made is gone when it returns: the addresses in it would seem to be
    /// references in the next copy of a process that searches its own heap.
    private static func answer(
        _ connection: SearchConnection, _ growth: GrowthOfProcesses, _ seeksTasks: Bool
    ) throws -> (word: Int, bytes: [UInt8]) {
        var clone = try listen(connection, growth)
        clone.questions.seeksTasks = seeksTasks
        do {
            let result =
                try clone.questions.seeksCountsAlone ? gp_search_result() : search(clone, connection)
            try send(clone.census, connection)
            return (Int(GP_SEARCH_DONE), withUnsafeBytes(of: result, Array.init))
        } catch let error as MemoryImageError where error.needed != nil {
            return (Int(GP_SEARCH_UNABLE), [])
        } catch let error as MemoryImageError {
            try send(clone.census, connection)
            let sentence = error.sentence.hasSuffix(".") ? String(error.sentence.dropLast()) : error.sentence
            return (Int(GP_SEARCH_FAILED), Array(sentence.utf8.prefix(240)))
        }
    }

    private static func search(_ clone: FrozenClone, _ connection: SearchConnection) throws -> gp_search_result {
        let search = try HeapSearch(clone)
        try send(search, clone.places, connection)
        if let clause = search.snapshot.unread { throw MemoryImageError(clause) }
        let end = search.snapshot.end ?? HeapEndRecord(snapshot: search.snapshot.begin.snapshot)
        var result = gp_search_result()
        result.unreachable = end.unreachableBlocks
        result.unreachable_bytes = end.unreachableBytes
        result.listed = end.listedObjects
        result.lost_blocks = UInt64(search.lostAddresses.count)
        result.lost_digest = search.lostAddresses.reduce(0) { $0 &+ ($1 ^ $1 >> 20) &* 0x9e37_79b9_7f4a_7c15 }
        result.hidden = UInt64(search.hiddenCount)
        return result
    }

    private static func listen(_ connection: SearchConnection, _ growth: GrowthOfProcesses) throws -> FrozenClone {
        let memory = RemoteMemory(of: connection.peer, connection)
        let image = MemoryImage(
            mappings: CopyPlan.mappings(of: connection.peer), threads: [], machine: ELFFile.ownMachine)
        guard !image.mappings.isEmpty else { throw MemoryImageError("The copy's mappings cannot be read.") }
        for mapping in image.mappings where !mapping.file.hasPrefix("[v") {
            image.add(PagedMemory(of: memory, mapping))
        }
        let table = try? PageTable(of: connection.peer)
        return try FrozenClone(
            image, pages: table?.residentPages, growth: growth, connection.next)
    }

    /// Hands what was found to the copy, which writes it into the trace.
    private static func send(_ search: HeapSearch, _ places: RootPlaces, _ connection: SearchConnection) throws {
        let known = search.types.ids.sorted { $0.rawValue < $1.rawValue }
        let metadata = known.map { search.types.record($0)?.metadata ?? 0 }
        let numbers = try connection.ask(Int(GP_SEARCH_TYPES), metadata, UInt32.self).map(TypeID.init(rawValue:))
        try send(connection) { take in
            try SnapshotRecords(Dictionary(zip(known, numbers)) { $1 }, places, take: take).add(search.snapshot)
        }
    }

    private static func send(_ census: BlockCensus, _ connection: SearchConnection) throws {
        try send(connection) { take in
            for row in census.rows { try take(.census(row)) }
            for row in census.generations { try take(.generation(row)) }
        }
    }

    private static func send(
        _ connection: SearchConnection, _ body: (@escaping (TraceRecord.Heap) throws -> Void) throws -> Void
    ) throws {
        var bytes: [UInt8] = []
        func flush() throws {
            guard !bytes.isEmpty else { return }
            try bytes.withUnsafeBytes { bytes in
                try connection.send(Int(GP_SEARCH_RECORDS), bytes)
            }
            bytes.removeAll(keepingCapacity: true)
        }
        try body { record in
            let record = RecordBytes.heap(record)
            if bytes.count + record.count > SearchConnection.most { try flush() }
            bytes += record
        }
        try flush()
    }
}
