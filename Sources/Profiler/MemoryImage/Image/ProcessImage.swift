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
        let start = DispatchTime.now().uptimeNanoseconds
        let threads = try StoppedThreads(pid)
        plan = CopyPlan(pid: pid, root: root, known: plan)
        let stopped = threads.signals.keys.sorted().compactMap {
            registers.thread(UInt32($0), Ptrace.registers(of: $0))
        }
        let kernelWords = KernelWords.of(pid)
        let copies = plan.copies.map { MemoryCopy(of: pid, $0) }
        threads.release()
        pause = DispatchTime.now().uptimeNanoseconds - start
        image = MemoryImage(mappings: plan.mappings, threads: stopped, machine: ELFFile.ownMachine)
        guard copies.contains(where: { $0.count > 0 }) else {
            throw MemoryImageError("The memory of process \(pid) cannot be read.")
        }
        image.kernelWords = kernelWords
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
        for line in (ProcessFacts.text("/proc/\(pid)/maps") ?? "").split(separator: "\n") { note(line) }
    }

    /// `start-end perms offset device inode path`
    private mutating func note(_ line: Substring) {
        let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
        guard words.count >= 5, words[1].utf8.count == 4 else { return }
        let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1], let offset = UInt64(words[2], radix: 16) else { return }
        let name = words.count > 5 ? words[5].trimmingCharacters(in: .whitespaces) : ""
        let mapping = MemoryImage.Mapping(
            start: ends[0], end: ends[1], isWritable: words[1].dropFirst().first == "w", file: name, offset: offset)
        mappings.append(mapping)
        guard words[1].first == "r", words[1].last == "p", !name.hasPrefix("[v") else { return }
        if mapping.isWritable || mapping.isFile && isChanged(mapping) { copies.append(mapping) }
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
        let resident = resident
        guard let available = AvailableMemory.now(), resident > available.bytes else { return }
        throw MemoryImageError(
            "The copy of process \(pid) needs up to \(NumberFormat.bytes(resident)) of memory, and "
                + "\(NumberFormat.bytes(available.bytes)) are available (\(available.limit.rawValue)): take a core file."
        )
    }
}

/// The copy of a mapping, with holes where it has no memory.
final class MemoryCopy {
    let start: UInt64
    /// Bytes that were copied.
    private(set) var count = 0
    let bytes: UnsafeRawBufferPointer
    private let size: Int

    private static let page = UInt64(sysconf(CInt(_SC_PAGESIZE)))

    init(of pid: pid_t, _ mapping: MemoryImage.Mapping) {
        start = mapping.start
        size = Int(mapping.end - mapping.start)
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20 | 0x4000, -1, 0)
        guard let address, address != MAP_FAILED else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        bytes = UnsafeRawBufferPointer(start: address, count: size)
        for run in Self.present(pid, mapping) {
            let target = UnsafeMutableRawBufferPointer(start: address + Int(run.lowerBound - start), count: run.count)
            count += readMemory(of: pid, at: run.lowerBound, into: target)
        }
    }

    deinit { if let address = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: address), size) } }

    /// The pages that are in memory or in swap; what is not is zero, or unchanged in the mapping's file.
    private static func present(_ pid: pid_t, _ mapping: MemoryImage.Mapping) -> [Range<UInt64>] {
        let pages = Int((mapping.end - mapping.start) / page)
        let whole = [mapping.start..<mapping.end]
        guard !mapping.isFile, pages > 256 else { return whole }
        let descriptor = open("/proc/\(pid)/pagemap", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return whole }
        defer { close(descriptor) }
        var result: [Range<UInt64>] = []
        var entries = [UInt64](repeating: 0, count: min(pages, 65536))
        var next = 0
        while next < pages {
            let wanted = min(entries.count, pages - next)
            let offset = off_t((mapping.start / page + UInt64(next)) * 8)
            let read = entries.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted * 8, offset) }
            guard read > 0 else { return whole }
            for index in 0..<read / 8 where entries[index] >> 62 != 0 {
                let at = mapping.start + UInt64(next + index) * page
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
