import Foundation
import GameprofBasics
import GameprofTrace

/// What an image says of a heap, as the recording that a search in the process itself would have made; without stacks.
package enum ImageRecording {
    /// Searches a core file.
    /// - Parameter path: as the user calls it.
    /// - Throws: `MemoryImageError`.
    package static func read(
        _ core: CoreFile, called path: String, _ questions: ImageQuestions
    ) throws(MemoryImageError) -> Recording {
        let executable = core.image.mappings.first { $0.isFile }?.file ?? questions.program ?? "?"
        let record = ProgramRecord(
            pid: UInt64(core.pid), instruments: questions.instruments, executable: executable,
            arguments: core.command.split(separator: " ").map(String.init))
        var recording = try make(core.image, record, questions)
        let ended = core.signal == 0 ? "" : " The process was ended by signal \(core.signal)."
        recording.environment["source"] = "a core file"
        recording.capture.notes.insert(
            "Read from the core file \(path): there are no stacks of allocations.\(ended)", at: 0)
        return recording
    }

    /// Looks at a running process, which stands still meanwhile.
    /// - Throws: `MemoryImageError`.
    package static func read(
        process pid: Int32, _ questions: ImageQuestions
    ) throws(MemoryImageError) -> Recording {
        let process = try ProcessImage(pid: pid, program: questions.program)
        let record = ProgramRecord(
            pid: UInt64(pid), instruments: questions.instruments, executable: process.executable,
            arguments: process.arguments)
        let footprint = ProcessFootprint(pages: process.table.residentPages, maps: process.facts.resident)
        var recording = try make(
            process.image, record, questions, pause: process.pause,
            footprint: questions.hasFootprint ? footprint : nil)
        for thread in process.image.threads {
            let name = ProcessFacts.text("/proc/\(pid)/task/\(thread.id)/comm")
            recording.threadNames[ThreadID(rawValue: thread.id)] = name?.trimmingCharacters(in: .newlines)
        }
        recording.threadNames = ThreadTitles.of(recording.threadNames, program: record)
        recording.environment["source"] = "a running process"
        recording.environment.merge(AvailableMemory.limits(of: pid)) { $1 }
        recording.capture.notes.insert(
            "Read from the running process \(pid), which was paused for "
                + "\(NumberFormat.seconds(Double(process.pause) / 1e9)): there are no stacks of allocations.", at: 0)
        return recording
    }

    /// - Parameter pause: nanoseconds for which the process stood still.
    static func make(
        _ image: MemoryImage, _ program: ProgramRecord, _ questions: ImageQuestions, pause: UInt64 = 0,
        footprint: ProcessFootprint? = nil
    ) throws(MemoryImageError) -> Recording {
        let walked = try blocks(of: image)
        let search = try HeapSearch(image, walked.map, questions.ofHeap) {
            ImageRoots.find(
                image, $0, arenas: walked.map.scanned == nil ? walked.walk.ownRanges : [],
                frames: questions.frames(image))
        }
        var recording = Recording()
        recording.program = program
        for record in search.images { recording.images.add(record) }
        recording.startUnixNanoseconds = UInt64(Date().timeIntervalSince1970 * 1e9)
        var snapshot = search.snapshot
        snapshot.begin.threads = UInt32(image.threads.count)
        snapshot.begin.pause = pause
        if var footprint {
            footprint.ranges = search.roots.stackRanges
            snapshot.resident = footprint.facts(search.graph, walked.walk)
        }
        if questions.counts, let graph = snapshot.graph { snapshot.census = census(graph) }
        recording.types = search.types
        recording.heapSnapshots = [snapshot]
        recording.capture.isTruncated = snapshot.unread != nil
        recording.capture.notes += image.problems + walked.walk.problems + search.notes
        if walked.map.scanned != nil {
            let other = MallocWalk.otherMalloc(image) ?? "this malloc"
            recording.capture.notes.append(
                "The blocks of \(other) cannot be told apart from outside. "
                    + "\(NumberFormat.count(walked.map.count, "object")) were found by their types. Other memory is not counted, "
                    + "and whatever it names is taken for used: an object that it names by chance is not reported.")
        }
        return recording
    }

    /// The blocks of glibc's malloc, or the objects in another one's memory.
    /// - Throws: no answer is possible.
    private static func blocks(
        of image: MemoryImage
    ) throws(MemoryImageError) -> (map: BlockMap, walk: MallocWalk) {
        if let found = try MallocWalk.blocks(of: image) { return found }
        // Memory that could not be read may be where glibc has its state.
        guard image.unread.isEmpty || MallocWalk.otherMalloc(image) != nil else { throw MallocWalk.noArena(image) }
        let map = ObjectScan.blocks(of: image)
        guard map.count > 0, let scanned = map.scanned else { throw MallocWalk.noArena(image) }
        guard map.count < UInt32.max else { throw MemoryImageError("The process has more than four billion objects.") }
        return (map, MallocWalk.ofObjects(image, in: scanned.ranges))
    }

    /// The blocks by type.
    private static func census(_ graph: LiveHeap) -> [HeapCensusRecord] {
        var rows: [TypeID: HeapCensusRecord] = [:]
        for (type, size) in zip(graph.types, graph.sizes) {
            rows[type, default: HeapCensusRecord(type: type, stack: .none, count: 0, bytes: 0)].count += 1
            rows[type]?.bytes &+= size
        }
        return rows.values.sorted { $0.type < $1.type }
    }
}
