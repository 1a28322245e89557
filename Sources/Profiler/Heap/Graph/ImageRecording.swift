import Foundation
import GameprofBasics
import GameprofTrace

/// What an image says of a heap, as the recording that a search in the process itself would have made; without stacks.
package enum ImageRecording {
    /// Reads a core file.
    /// - Parameter seeksTasks: what tasks wait for is looked for.
    /// - Throws: `MemoryImageError`.
    package static func read(
        core path: String, program: String? = nil, instruments: Set<Instrument>, seeksTasks: Bool = false
    ) throws(MemoryImageError) -> Recording {
        let core = try CoreFile(path: path, program: program)
        let executable = core.image.mappings.first { $0.isFile }?.file ?? program ?? "?"
        let record = ProgramRecord(
            pid: UInt64(core.pid), instruments: instruments, executable: executable,
            arguments: core.command.split(separator: " ").map(String.init))
        var recording = try make(core.image, record, pause: 0, footprint: nil, seeksTasks: seeksTasks)
        let ended = core.signal == 0 ? "" : " The process was ended by signal \(core.signal)."
        recording.environment["source"] = "a core file"
        recording.capture.notes.insert(
            "Read from the core file \(path): there are no stacks of allocations.\(ended)", at: 0)
        return recording
    }

    /// Looks at a running process, which stands still meanwhile.
    /// - Parameters:
    ///   - hasFootprint: what of it is in the machine's memory is looked at too.
    ///   - seeksTasks: what tasks wait for is looked for.
    /// - Throws: `MemoryImageError`.
    package static func read(
        process pid: Int32, program: String? = nil, instruments: Set<Instrument>, hasFootprint: Bool = false,
        seeksTasks: Bool = false
    ) throws(MemoryImageError) -> Recording {
        let process = try ProcessImage(pid: pid, program: program)
        let record = ProgramRecord(
            pid: UInt64(pid), instruments: instruments, executable: process.executable,
            arguments: process.arguments)
        let footprint = ProcessFootprint(pages: process.table.residentPages, maps: process.facts.resident)
        var recording = try make(
            process.image, record, pause: process.pause, footprint: hasFootprint ? footprint : nil,
            seeksTasks: seeksTasks)
        for thread in process.image.threads {
            let name = ProcessFacts.text("/proc/\(pid)/task/\(thread.id)/comm")
            recording.threadNames[ThreadID(rawValue: thread.id)] = name?.trimmingCharacters(in: .newlines)
        }
        recording.threadNames = ThreadTitles.of(recording.threadNames, program: record)
        recording.environment["source"] = "a running process"
        recording.capture.notes.insert(
            "Read from the running process \(pid), which was paused for "
                + "\(NumberFormat.seconds(Double(process.pause) / 1e9)): there are no stacks of allocations.", at: 0)
        return recording
    }

    static func make(
        _ image: MemoryImage, _ program: ProgramRecord, pause: UInt64, footprint: ProcessFootprint? = nil,
        seeksTasks: Bool = false
    ) throws(MemoryImageError) -> Recording {
        let walked = try MallocWalk.blocks(of: image)
        var questions = HeapQuestions(graph: program.instruments.contains(.heap) ? .always : .whereSmall)
        questions.seeksTasks = seeksTasks
        let search = try HeapSearch(image, walked.map, questions) {
            ImageRoots.find(image, $0, arenas: walked.walk.ownRanges)
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
        recording.types = search.types
        recording.heapSnapshots = [snapshot]
        recording.capture.isTruncated = snapshot.unread != nil
        recording.capture.notes += image.problems + walked.walk.problems + search.notes
        return recording
    }
}
