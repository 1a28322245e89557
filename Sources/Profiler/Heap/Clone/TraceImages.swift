import CTraceFormat
import GameprofBasics
import GameprofTrace

extension Recording {
    /// Reads a trace as `RecordingReader.read` does, and searches the heaps that nobody has searched yet.
    /// - Parameter folders: where the program's files are looked for that are not in their places.
    /// - Throws: `TraceError`, `HeapTooLarge`.
    package static func read(
        trace path: String, graphs: KeptGraphs = .all, room: UInt64? = nil, files folders: [String] = [],
        progress: @escaping (Double) -> Void = { _ in }
    ) throws -> Recording {
        var recording = try RecordingReader.read(
            path: path, graphs: graphs, keepsImages: true, room: room, progress: progress)
        try recording.searchImages(folders, isLimited: room != nil)
        return recording
    }

    /// The same without the allocations, as `RecordingReader.readHeap`.
    /// - Parameter seeksTasks: what tasks wait for is looked for.
    package static func readHeap(
        trace path: String, graphs: KeptGraphs = .all, room: UInt64? = nil, files folders: [String] = [],
        seeksTasks: Bool = false
    ) throws -> Recording {
        var recording = try RecordingReader.readHeap(path: path, graphs: graphs, keepsImages: true, room: room)
        try recording.searchImages(folders, isLimited: room != nil, seeksTasks: seeksTasks)
        return recording
    }

    /// - Parameter isLimited: a heap that is too large for the memory is an error, and no snapshot without a result.
    private mutating func searchImages(_ folders: [String], isLimited: Bool, seeksTasks: Bool = false) throws {
        let growth = GrowthOfProcesses()
        for place in heapSnapshots.indices where !heapSnapshots[place].image.isEmpty {
            var snapshot = heapSnapshots[place]
            heapSnapshots[place].image = []
            if snapshot.unsoundReason == nil {
                do {
                    try search(&snapshot, folders, growth, seeksTasks)
                } catch let error as MemoryImageError where isLimited && error.needed != nil {
                    throw HeapTooLarge(
                        blocks: Int(clamping: snapshot.end?.blocks ?? 0), needed: error.needed ?? 0)
                } catch {
                    let sentence = (error as? MemoryImageError)?.sentence ?? "the image of the heap is damaged"
                    snapshot.end?.isCutShort = true
                    snapshot.end?.reason = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
                }
            }
            snapshot.image = []
            heapSnapshots[place] = snapshot
        }
    }

    private mutating func search(
        _ snapshot: inout HeapSnapshot, _ folders: [String], _ growth: GrowthOfProcesses, _ seeksTasks: Bool
    ) throws {
        let image = try TraceImage.image(
            snapshot.image, of: images.images.map(\.record), folders, recordedAt: startUnixNanoseconds)
        // The memory is there twice until its records are gone.
        let pages = TraceImage.pages(snapshot.image)
        let facts = snapshot.image.filter { ![GP_SEARCH_MAPS, GP_SEARCH_MEMORY].contains(Int($0.kind)) }
        snapshot.image = []
        var rest = facts.makeIterator()
        func next() throws -> HeapImageRecord {
            guard let next = rest.next() else { throw SearchConnection.Broken() }
            return next
        }
        var clone = try FrozenClone(image, pages: pages, growth: growth, next)
        clone.questions.seeksTasks = seeksTasks
        let search = try HeapSearch(clone)
        let numbers = types.merge(search.types)
        var assembler = SnapshotAssembler(snapshot)
        let records = SnapshotRecords(numbers, clone.places) { record in try assembler.note(record) }
        try records.add(search.snapshot)
        guard var result = assembler.finish().first else { return }
        if let clause = search.snapshot.unread {
            result.end?.isCutShort = true
            result.end?.reason = clause
        }
        if let found = search.snapshot.end {
            result.end?.unreachableBlocks = found.unreachableBlocks
            result.end?.unreachableBytes = found.unreachableBytes
            result.end?.listedObjects = found.listedObjects
        }
        snapshot = result
        capture.notes += image.problems + search.notes
    }
}

/// The memory in a trace, as far as the frozen copy wrote it, and the files of the program for the rest.
private enum TraceImage {
    /// The pages that the process had, in memory or in swap: all of them are there, or said to be zero.
    static func pages(_ parts: [HeapImageRecord]) -> ProcessFootprint.Pages {
        var runs: [Range<UInt64>] = []
        for part in parts.lazy.filter({ $0.kind == UInt32(GP_SEARCH_MEMORY) }).sorted(by: { $0.first < $1.first }) {
            let count = part.bytes.isEmpty ? part.second : UInt64(part.bytes.count)
            let end = part.first.addingReportingOverflow(count).partialValue
            guard part.first < end else { continue }
            if let last = runs.last, last.upperBound >= part.first {
                runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                runs.append(part.first..<end)
            }
        }
        return { range in
            let first = partition(0..<runs.count) { runs[$0].upperBound > range.lowerBound }
            return runs[first...].prefix { $0.lowerBound < range.upperBound }.map { $0.clamped(to: range) }
        }
    }

    static func image(
        _ parts: [HeapImageRecord], of images: [ImageRecord], _ folders: [String], recordedAt: UInt64
    ) throws(MemoryImageError) -> MemoryImage {
        func messages(of kind: Int) -> [HeapImageRecord] { parts.filter { $0.kind == UInt32(kind) } }
        let maps = messages(of: Int(GP_SEARCH_MAPS))
        let lines = String(decoding: maps.flatMap(\.bytes), as: UTF8.self).split(separator: "\n")
        let image = MemoryImage(
            mappings: lines.compactMap(CopyPlan.mapping), threads: [],
            machine: UInt16(truncatingIfNeeded: maps.first?.first ?? 0))
        let memory = messages(of: Int(GP_SEARCH_MEMORY)).filter { $0.first < 1 << 63 && !$0.bytes.isEmpty }
            .sorted { $0.first < $1.first }
        var files: [UInt64: MemoryCopy] = [:]
        var first = 0
        for mapping in image.mappings where !mapping.isForeign {
            while first < memory.count, memory[first].first + UInt64(memory[first].bytes.count) <= mapping.start {
                first += 1
            }
            // The last one may go on in the next mapping.
            let own = memory[first...].prefix { $0.first < mapping.end }
            first += max(own.count - 1, 0)
            guard mapping.isReadable || !own.isEmpty else { continue }
            let copy = MemoryCopy(of: mapping, own)
            if mapping.isOfFile {
                if !own.isEmpty { files[mapping.start] = copy }
            } else {
                copy.add(to: image)
            }
        }
        let ids = Dictionary(images.map { ($0.path, $0.buildID) }) { $1 }
        var mapped = MappedFiles(image, buildIDs: ids, folders: folders, mappedAt: recordedAt)
        mapped.add(copies: files)
        // Types that cannot be read look like memory that nothing refers to.
        if let missing = mapped.missing.first {
            throw MemoryImageError(
                "\(missing) is missing or has changed since the recording: name a folder that has it with --symbols")
        }
        return image
    }
}
