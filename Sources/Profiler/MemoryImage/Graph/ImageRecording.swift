import Foundation
import GameprofBasics
import GameprofRecording
import GameprofTraceFile

/// What an image says of a heap, as the recording that a search in the process itself would have made; without stacks.
package enum ImageRecording {
    /// Reads a core file.
    /// - Throws: `MemoryImageError`.
    package static func read(core path: String, program: String? = nil, instruments: Set<Instrument>)
        throws(MemoryImageError) -> Recording
    {
        let core = try CoreFile(path: path, program: program)
        let executable = core.image.mappings.first { $0.isFile }?.file ?? program ?? "?"
        let record = ProgramRecord(
            pid: UInt64(core.pid), instruments: instruments, executable: executable,
            arguments: core.command.split(separator: " ").map(String.init))
        var recording = try make(core.image, record, pause: 0)
        let ended = core.signal == 0 ? "" : " The process was ended by signal \(core.signal)."
        recording.capture.notes.insert(
            "Read from the core file \(path): there are no stacks of allocations.\(ended)", at: 0)
        return recording
    }

    /// Looks at a running process, which stands still meanwhile.
    /// - Parameter hasFootprint: what of it is in the machine's memory is looked at too.
    /// - Throws: `MemoryImageError`.
    package static func read(
        process pid: Int32, program: String? = nil, instruments: Set<Instrument>, hasFootprint: Bool = false
    ) throws(MemoryImageError) -> Recording {
        let process = try ProcessImage(pid: pid, program: program)
        let record = ProgramRecord(
            pid: UInt64(pid), instruments: instruments, executable: process.executable,
            arguments: process.arguments)
        let footprint = ProcessFootprint(table: process.table, maps: process.facts.resident)
        var recording = try make(
            process.image, record, pause: process.pause, footprint: hasFootprint ? footprint : nil)
        for thread in process.image.threads where hasFootprint {
            recording.threadNames[ThreadID(rawValue: thread.id)] =
                ProcessFacts.text("/proc/\(pid)/task/\(thread.id)/comm")
        }
        recording.capture.notes.insert(
            "Read from the running process \(pid), which stood still for \(NumberFormat.seconds(Double(process.pause) / 1e9)): "
                + "there are no stacks of allocations.", at: 0)
        return recording
    }

    /// Searches the frozen clone that has left word at `path`.
    /// - Throws: `MemoryImageError`.
    package static func read(clone path: String, instruments: Set<Instrument>) throws(MemoryImageError) -> Recording {
        let clone = try FrozenClone(path)
        let record = ProgramRecord(
            pid: UInt64(clone.pid), instruments: instruments,
            executable: clone.image.mappings.first { $0.isFile }?.file ?? "?", arguments: [])
        return try make(clone.image, record, pause: 0, clone)
    }

    /// A search for leaks does without the graph of more blocks, as in the process itself, and no search looks for living cycles in more:
    /// of two million objects with random references that took 1.5 seconds of 12.
    private static let smallGraph = 100_000

    /// Of the whole report, dominators and paths included; measured: 56 to 65 for a block with one to three references.
    private static let graphBytes: UInt64 = 100

    static func make(
        _ image: MemoryImage, _ program: ProgramRecord, pause: UInt64, _ clone: FrozenClone? = nil,
        footprint: ProcessFootprint? = nil
    ) throws(MemoryImageError) -> Recording {
        let start = DispatchTime.now().uptimeNanoseconds
        let walked = clone == nil ? try MallocWalk.blocks(of: image) : nil
        guard let blocks = clone?.blocks ?? walked?.map else { return Recording() }
        let isSmall = blocks.count <= smallGraph
        let hasGraph = isSmall || program.instruments.contains(.heap)
        try MemoryImageError.checkRoom(
            UInt64(blocks.count) * (hasGraph ? graphBytes : 24), for: "search in \(blocks.count) blocks",
            remedy: hasGraph ? "gameprof leaks needs less" : "take a core file to a larger machine")
        let images = ELFImages(image)
        let graph = BlockGraph(Metadata.Space(image, images, blocks), filledEnds: clone?.filledEnds ?? [:])
        let roots =
            clone.map { ImageRoots.find($0, graph) }
            ?? ImageRoots.find(image, graph, arenas: walked?.walk.ownRanges ?? [])
        let reached = try Reachability(graph, from: roots.roots, stale: clone?.stale ?? [])
        reached.markEncoded(in: roots.ranges)
        // Whatever was not read may name any block.
        let isWhole = image.unread.isEmpty
        if !isWhole { reached.markByUnread() }
        var heap = hasGraph ? graph.liveHeap(reached) : nil
        if isSmall, let living = heap {
            var held = roots.held
            for block in reached.encoded { held.insert(block) }
            for block in graph.metadataBlocks { held.insert(block) }
            var counted = CountedCycles(living, held: held)
            // The recorder, with which a clone is compared, counts what a word of C memory names as living.
            if clone == nil, isWhole { counted.addOwned() }
            reached.release(counted.lost)
            for block in counted.lost { heap?.flags[block].remove(.reachable) }
        }
        let living = isSmall && isWhole ? heap.map { LivingCycles($0, graph.types).blocks } ?? [] : []
        let lost = LostObjects(graph, reached, living: living, clone)
        var recording = Recording()
        recording.program = program
        for record in images.records { recording.images.add(record) }
        recording.startUnixNanoseconds = UInt64(Date().timeIntervalSince1970 * 1e9)
        let number = SnapshotID(rawValue: 1)
        var snapshot = HeapSnapshot(
            begin: HeapBeginRecord(
                trigger: .onRequest, snapshot: number, threads: UInt32(image.threads.count), pause: pause),
            objects: lost.objects, references: lost.references, roots: lost.roots)
        snapshot.graph = heap
        if let footprint, let walk = walked?.walk { snapshot.resident = footprint.facts(graph, walk, roots) }
        snapshot.unread = isWhole ? nil : image.unread.clause
        var unreachable: (count: UInt64, bytes: UInt64) = (0, 0)
        var untyped = UntypedBlocks()
        reached.visitUnreached { block in
            let type = graph.type(of: block)
            unreachable.count += 1
            unreachable.bytes &+= type?.requested(of: block.size) ?? block.size
            if type == nil { untyped.add(block) }
        }
        snapshot.end = HeapEndRecord(
            snapshot: number, blocks: UInt64(blocks.count), bytes: reached.bytes, swiftObjects: reached.swiftObjects,
            unreachableBlocks: unreachable.count, unreachableBytes: unreachable.bytes,
            listedObjects: UInt64(lost.objects.count), analysis: DispatchTime.now().uptimeNanoseconds - start)
        recording.types = graph.types
        recording.heapSnapshots = [snapshot]
        recording.capture.isTruncated = !isWhole
        recording.capture.notes += image.problems + (walked?.walk.problems ?? [])
        if !isSmall {
            recording.capture.notes.append(
                "Cycles of living objects through closures, and lost ones that a stale word names, were not searched for: "
                    + "there are more than \(NumberFormat.count(smallGraph, "block")).")
        }
        if clone == nil, let sentence = untyped.sentence(besides: lost.objects, of: reached.bytes) {
            recording.capture.notes.append(sentence)
        }
        if lost.isCut { recording.capture.notes.append("More objects are lost than are listed.") }
        return recording
    }
}
