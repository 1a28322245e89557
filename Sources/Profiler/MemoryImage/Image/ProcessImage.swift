import Foundation
import GameprofBasics
import GameprofImageSymbols

/// A running process, of which the memory that it may change is copied while it stands still.
package struct ProcessImage {
    package let image: MemoryImage
    package let executable: String
    package let arguments: [String]
    /// For how long the process stood still, in nanoseconds.
    package let pause: UInt64

    package init(pid: pid_t, program: String? = nil) throws(MemoryImageError) {
        guard !ProcessFacts.status(of: pid).isEmpty, pid > 0 else { throw StoppedThreads.gone(pid) }
        guard pid != getpid() else { throw MemoryImageError(isInput: true, "gameprof does not look at itself.") }
        let root = "/proc/\(pid)/root"
        executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")) ?? "?"
        let words = ProcessFacts.bytes("/proc/\(pid)/cmdline") ?? []
        arguments = words.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        var plan = CopyPlan(pid: pid, root: root)
        try plan.checkRoom()
        guard let registers = ThreadRegisters(machine: ELFFile.ownMachine) else {
            throw MemoryImageError("This processor is not supported.")
        }
        // What takes memory takes time: it is done before.
        var prepared = Dictionary(
            plan.copies.map { ($0.start, MemoryCopy(of: pid, $0, isPrepared: true)) }, uniquingKeysWith: { $1 })
        var (stopped, asleep): ([MemoryImage.Thread], [pid_t]) = ([], [])
        var (kernelWords, copies): ([UInt64], [MemoryCopy]) = ([], [])
        let start = DispatchTime.now().uptimeNanoseconds
        try StoppedThreads.hold(pid) { threads throws(MemoryImageError) in
            plan = CopyPlan(pid: pid, root: root, known: plan)
            kernelWords = KernelWords.of(pid)
            let ready = plan.copies.map { mapping in
                prepared[mapping.start].flatMap { $0.holds(mapping) ? $0 : nil }
            }
            // What was prepared in vain is given back before more is taken.
            prepared = [:]
            copies = zip(plan.copies, ready).map { mapping, copy in copy ?? MemoryCopy(of: pid, mapping) }
            MemoryCopy.read(copies)
            // By now the last one may have stopped.
            (stopped, asleep) = try threads.read(registers)
        }
        pause = DispatchTime.now().uptimeNanoseconds - start
        image = MemoryImage(mappings: plan.mappings, threads: stopped, machine: ELFFile.ownMachine)
        guard copies.contains(where: { !$0.isEmpty }) else {
            throw MemoryImageError("The memory of process \(pid) cannot be read.")
        }
        image.kernelWords = kernelWords
        if !asleep.isEmpty {
            image.problems.append(
                "\(NumberFormat.count(asleep.count, "thread")) could not be stopped (in vfork, or waiting for a device): what only "
                    + "a register holds counts as lost.")
        }
        for copy in copies { image.add(copy.bytes, at: copy.start, owner: copy) }
        MappedFiles(image).add(root: root, program: program)
    }
}

/// Words of the process that only the kernel has, as /proc shows them.
private enum KernelWords {
    static func of(_ pid: pid_t) -> [UInt64] {
        let files = FileManager.default
        var result: [UInt64] = []
        for name in (try? files.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? [] {
            let target = try? files.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(name)")
            guard target == "anon_inode:[eventpoll]" else { continue }
            result += words(behind: "data:", of: "/proc/\(pid)/fdinfo/\(name)")
        }
        return result + words(behind: "signal:", of: "/proc/\(pid)/timers")
    }

    /// `data: 7f…`, `signal: 14/0000…`
    private static func words(behind name: String, of path: String) -> [UInt64] {
        let words = (ProcessFacts.text(path) ?? "").split { $0 == " " || $0 == "\n" || $0 == "\t" }
        return zip(words, words.dropFirst()).compactMap { word, value in
            word == name ? value.split(separator: "/").last.flatMap { UInt64($0, radix: 16) } : nil
        }
    }
}

/// Which mappings of a process are copied, and which are read from their files.
struct CopyPlan {
    let pid: pid_t
    private(set) var mappings: [MemoryImage.Mapping] = []
    private(set) var copies: [MemoryImage.Mapping] = []
    /// By file: ranges of offsets that the loader may have changed before it protected them.
    private var changed: [String: [Range<UInt64>]?] = [:]
    private let root: String

    init(pid: pid_t, root: String, known: CopyPlan? = nil) {
        self.pid = pid
        self.root = root
        changed = known?.changed ?? [:]
        for (mapping, permissions) in Self.mappings(of: pid) {
            mappings.append(mapping)
            guard permissions.first == "r", permissions.last == "p", !mapping.file.hasPrefix("[v") else { continue }
            if mapping.isWritable || mapping.isFile && isChanged(mapping) { copies.append(mapping) }
        }
    }

    /// Mappings of a process, and how each may be used.
    static func mappings(of pid: pid_t) -> [(MemoryImage.Mapping, permissions: Substring)] {
        (ProcessFacts.text("/proc/\(pid)/maps") ?? "").split(separator: "\n").compactMap(mapping)
    }

    /// `start-end perms offset device inode path`
    private static func mapping(_ line: Substring) -> (MemoryImage.Mapping, permissions: Substring)? {
        let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard words.count >= 5, words[1].utf8.count == 4 else { return nil }
        let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1], let offset = UInt64(words[2], radix: 16) else {
            return nil
        }
        let name = words.count > 5 ? words[5].trimmingCharacters(in: .whitespaces) : ""
        let mapping = MemoryImage.Mapping(
            start: ends[0], end: ends[1], isWritable: words[1].dropFirst().first == "w", file: name, offset: offset)
        return (mapping, words[1])
    }

    private mutating func isChanged(_ mapping: MemoryImage.Mapping) -> Bool {
        let known = changed[mapping.file] ?? Self.writable(root + mapping.file)
        changed[mapping.file] = .some(known)
        guard let known else { return true }
        let range = mapping.offset..<mapping.offset + (mapping.end - mapping.start)
        return known.contains { $0.overlaps(range) }
    }

    /// The parts of an ELF file that are mapped for writing; nil: it cannot be read.
    private static func writable(_ path: String) -> [Range<UInt64>]? {
        do {
            return try ELFFile(path: path).segments
                .filter { $0.type == 1 && $0.flags & 2 != 0 && $0.fileSize <= UInt64.max - $0.offset }
                .map { $0.offset & ~0xfff..<$0.offset + $0.fileSize }
        } catch .unreadable {
            return nil
        } catch {
            return []
        }
    }

    /// Bytes that are copied, at most: those in memory.
    var resident: UInt64 {
        (ProcessFacts.status(of: pid)["VmRSS"]?.split(separator: " ").first.flatMap { UInt64($0) } ?? 0) << 10
    }

    /// - Throws: where the copies would not fit into the machine's memory.
    func checkRoom() throws(MemoryImageError) {
        try MemoryImageError.checkRoom(resident, for: "copy of process \(pid)", remedy: "take a core file")
    }
}

/// The copy of a mapping, with holes where it has no memory.
final class MemoryCopy {
    let start: UInt64
    /// Nothing could be read.
    private(set) var isEmpty = true
    private(set) var bytes: UnsafeRawBufferPointer
    private let pid: pid_t
    private let isFile: Bool
    private let room: UnsafeMutableRawBufferPointer

    private static let page = UInt64(sysconf(CInt(_SC_PAGESIZE)))
    /// Copied at once by a thread.
    private static let part: UInt64 = 8 << 20

    /// - Parameter isPrepared: the process still runs. There is room for growth, and memory where the process has some.
    init(of pid: pid_t, _ mapping: MemoryImage.Mapping, isPrepared: Bool = false) {
        start = mapping.start
        (self.pid, isFile) = (pid, mapping.isFile)
        let size = Int(mapping.end - mapping.start)
        let capacity = isPrepared ? size + size / 4 + 1 << 20 : size
        let address = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20 | 0x4000, -1, 0)
        room = UnsafeMutableRawBufferPointer(
            start: address == MAP_FAILED ? nil : address, count: address == MAP_FAILED ? 0 : capacity)
        bytes = UnsafeRawBufferPointer(rebasing: room.prefix(size))
        guard isPrepared else { return }
        for run in runs {
            let place = target(of: run)
            let populate = CInt(23)  // MADV_POPULATE_WRITE
            LargePages.take(place)
            madvise(place.baseAddress, place.count, populate)
        }
    }

    /// Whether the mapping, as it is now, finds room.
    func holds(_ mapping: MemoryImage.Mapping) -> Bool {
        let size = Int(mapping.end - mapping.start)
        guard size <= room.count else { return false }
        bytes = UnsafeRawBufferPointer(rebasing: room.prefix(size))
        return true
    }

    /// Reads them, with all processors.
    static func read(_ copies: [MemoryCopy]) {
        let all = copies.enumerated().flatMap { number, copy in
            copy.runs.flatMap { run in
                stride(from: run.lowerBound, to: run.upperBound, by: Int(part)).map { at in
                    (number, copy.pid, at, copy.target(of: at..<min(run.upperBound, at + part)))
                }
            }
        }
        nonisolated(unsafe) let (parts, counts) = (all, UnsafeMutablePointer<Int>.allocate(capacity: max(all.count, 1)))
        defer { counts.deallocate() }
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            let (_, pid, address, target) = parts[number]
            counts[number] = urgently { readMemory(of: pid, at: address, into: target) }
        }
        for (number, part) in parts.enumerated() where counts[number] > 0 { copies[part.0].isEmpty = false }
    }

    private func target(of run: Range<UInt64>) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: room[Int(run.lowerBound - start)..<Int(run.upperBound - start)])
    }

    deinit { if let address = room.baseAddress { munmap(address, room.count) } }

    /// The pages that are in memory or in swap; what is not is zero, or unchanged in the mapping's file.
    private var runs: [Range<UInt64>] {
        let (page, pages) = (Self.page, bytes.count / Int(Self.page))
        guard pages > 0 else { return [] }
        let whole = [start..<start + UInt64(bytes.count)]
        guard !isFile, pages > 256 else { return whole }
        let descriptor = open("/proc/\(pid)/pagemap", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return whole }
        defer { close(descriptor) }
        var result: [Range<UInt64>] = []
        var entries = [UInt64](repeating: 0, count: min(pages, 65536))
        var next = 0
        while next < pages {
            let wanted = min(entries.count, pages - next)
            let offset = off_t((start / page + UInt64(next)) * 8)
            let read = entries.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted * 8, offset) }
            guard read > 0 else { return whole }
            for index in 0..<read / 8 where entries[index] >> 62 != 0 {
                let at = start + UInt64(next + index) * page
                if let last = result.last, last.upperBound == at {
                    result[result.count - 1] = last.lowerBound..<at + page
                } else {
                    result.append(at..<at + page)
                }
            }
            next += read / 8
        }
        return result
    }
}
