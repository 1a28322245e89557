import Foundation
import GameprofBasics

/// A running process, of which the memory that it may change is copied while it stands still.
package struct ProcessImage {
    package let image: MemoryImage
    /// The page table of the process, as it runs on.
    let table: PageTable
    /// From before it stood still.
    let facts: MappingFacts
    package let executable: String
    package let arguments: [String]
    /// For how long the process stood still, in nanoseconds.
    package let pause: UInt64

    package init(pid: pid_t, program: String? = nil) throws(MemoryImageError) {
        guard !ProcessFacts.status(of: pid).isEmpty, pid > 0 else { throw StoppedThreads.gone(pid) }
        guard pid != getpid() else { throw MemoryImageError(isInput: true, "gameprof cannot read its own process.") }
        let root = "/proc/\(pid)/root"
        executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")) ?? "?"
        let words = ProcessFacts.bytes("/proc/\(pid)/cmdline") ?? []
        arguments = words.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        let mark = Self.mark(of: pid)
        let (table, facts) = (try PageTable(of: pid), MappingFacts(of: pid))
        (self.table, self.facts) = (table, facts)
        var plan = CopyPlan(pid: pid, table: table, facts: facts)
        try plan.checkRoom()
        guard let registers = ThreadRegisters(machine: ELFFile.ownMachine) else {
            throw MemoryImageError("This processor is not supported.")
        }
        // What takes memory takes time: it is done before.
        var prepared = Dictionary(
            plan.copies.map { ($0.mapping.start, MemoryCopy($0, isPrepared: true)) }, uniquingKeysWith: { $1 })
        var (stopped, asleep): ([MemoryImage.Thread], [pid_t]) = ([], [])
        var (kernelWords, copies): (KernelWords?, [MemoryCopy]) = (nil, [])
        let start = DispatchTime.now()
        do throws(MemoryImageError) {
            try StoppedThreads.hold(pid) { threads throws(MemoryImageError) in
                guard !Self.isAnother(pid, than: mark) else { throw Self.replaced(pid) }
                plan = CopyPlan(pid: pid, table: table, facts: facts)
                kernelWords = KernelWords(of: pid)
                let ready = plan.copies.map { copy in
                    prepared[copy.mapping.start].flatMap { $0.renew(copy) ? $0 : nil }
                }
                // What was prepared in vain is given back before more is taken.
                prepared = [:]
                copies = zip(plan.copies, ready).map { $1 ?? MemoryCopy($0) }
                MemoryCopy.read(copies, of: pid, until: .now() + Self.patience + 4 * plan.seconds)
                // By now the last one may have stopped.
                (stopped, asleep) = try threads.read(registers)
            }
            guard copies.contains(where: \.isRead) else {
                throw MemoryImageError("The memory of process \(pid) cannot be read.")
            }
        } catch {
            // The exec may not have come to its end.
            for _ in 0..<20 where !Self.isAnother(pid, than: mark) { usleep(5000) }
            throw Self.isAnother(pid, than: mark) ? Self.replaced(pid) : error
        }
        pause = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
        image = MemoryImage(mappings: plan.mappings, threads: stopped, machine: ELFFile.ownMachine)
        kernelWords?.add(to: image)
        if !asleep.isEmpty {
            image.problems.append(
                "\(NumberFormat.count(asleep.count, "thread")) could not be stopped (in vfork, or waiting for a device): what only "
                    + "\(asleep.count == 1 ? "its" : "their") registers hold counts as lost.")
        }
        for range in plan.unknown {
            image.unread.add(
                memory: range, because: "too much is reserved there for this kernel to say what of it is in use")
        }
        for copy in copies where !copy.isFile { copy.add(to: image) }
        let ofFiles = Dictionary(
            copies.lazy.filter(\.isFile).map { ($0.start, $0) }, uniquingKeysWith: { $1 })
        var files = MappedFiles(image)
        files.add(root: root, program: program, copies: ofFiles) { mapping in
            Self.isAnother(pid, than: mark) ? nil : Self.rest(of: mapping, pid)
        }
        for mapping in plan.others where image.piece(at: mapping.start) == nil {
            image.unread.add(
                memory: mapping.start..<mapping.end,
                because: mapping.isFile
                    ? "shared, and its file cannot be opened" : "the program has protected it against reading")
        }
    }

    /// Seconds for which the process stands still at most, beside four times those that copying should take.
    private static let patience = 3.0

    // MARK: - Files that were deleted

    /// What an executable or a library that cannot be opened any more has for a mapping that nobody changes: read from the process,
    /// which runs.
    private static func rest(of mapping: MemoryImage.Mapping, _ pid: pid_t) -> MemoryCopy? {
        guard mapping.isPrivate, mapping.isReadable, !mapping.isWritable else { return nil }
        let copy = MemoryCopy(CopyPlan.Copy(mapping: mapping, pages: [mapping.start..<mapping.end]))
        MemoryCopy.read([copy], of: pid, until: .now() + patience)
        return copy.isRead ? copy : nil
    }

    // MARK: - Programs that take a process's place

    /// The kernel makes it anew for each program, with addresses and places that it draws by lot.
    private static func mark(of pid: pid_t) -> [UInt8] { ProcessFacts.bytes("/proc/\(pid)/auxv") ?? [] }

    private static func isAnother(_ pid: pid_t, than mark: [UInt8]) -> Bool {
        let now = self.mark(of: pid)
        return !now.isEmpty && now != mark
    }

    private static func replaced(_ pid: pid_t) -> MemoryImageError {
        MemoryImageError(
            "Process \(pid) replaced itself by another program (exec) while it was read. Run the command again.")
    }
}
