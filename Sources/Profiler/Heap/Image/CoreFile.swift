import Foundation
import GameprofBasics

/// A core file, as the kernel or `gcore` writes it. Every bound is checked.
package struct CoreFile {
    private static let (load, note): (UInt32, UInt32) = (1, 4)

    private typealias Segment = ELFFile.Segment

    package private(set) var pid: UInt32 = 0
    /// The command line's first 80 bytes, as the kernel keeps them.
    package private(set) var command = ""
    /// The signal that ended the process; 0: none did.
    package private(set) var signal: Int32 = 0
    /// The address of the access or the instruction that raised the signal, in the first thread; nil: it was sent, or nobody knows.
    package private(set) var faultAddress: UInt64?
    package let image: MemoryImage

    /// Whether the file at `path` is a core file (`ET_CORE`).
    package static func isCore(_ path: String) -> Bool {
        RegularFile.prefix(path, count: 18).map(isHead) ?? false
    }

    static func isHead(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(18))
        return head.count == 18 && head.starts(with: [0x7f, 0x45, 0x4c, 0x46]) && head[16] == 4 && head[17] == 0
    }

    /// - Parameters:
    ///   - program: the executable's file, where it is not the one that the process had mapped.
    ///   - folders: where files are looked for that are not in their places.
    ///   - name: what the user calls the file, where that is not its path.
    package init(
        path place: String, program: String? = nil, folders: [String] = [], called name: String? = nil
    ) throws(MemoryImageError) {
        let path = name ?? place
        let file: FileBytes
        do { file = try FileBytes(path: place) } catch {
            throw MemoryImageError(isInput: true, "\(path) cannot be read: \(error.reason).")
        }
        let numbers = FileNumbers(bytes: file.bytes)
        guard file.bytes.count >= 64, file.bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46]), numbers.u16(16) == 4 else {
            throw MemoryImageError(isInput: true, "\(path) is not a core file.")
        }
        guard file.bytes[4] == 2, file.bytes[5] == 1, let machine = numbers.u16(18),
            let registers = ThreadRegisters(machine: machine)
        else {
            throw MemoryImageError(isInput: true, "\(path) is the core file of a processor that is not supported.")
        }
        let segments = numbers.segments()
        guard segments.contains(where: { $0.type == Self.load }) else {
            throw MemoryImageError(isInput: true, "\(path) is damaged: it lists no memory.")
        }
        var notes = CoreNotes(registers: registers)
        for segment in segments where segment.type == Self.note {
            notes.read(FileNumbers(bytes: file.range(segment.offset, count: segment.fileSize)))
        }
        (pid, command, signal) = (notes.pid, notes.command, notes.signal)
        faultAddress = notes.faultAddress
        let loads = segments.filter { $0.type == Self.load && $0.address <= UInt64.max - $0.memorySize }
        image = MemoryImage(
            mappings: Self.mappings(loads, notes.files), threads: notes.threads, machine: machine)
        for segment in loads {
            let bytes = Self.bytes(of: segment, file)
            image.add(
                bytes, at: segment.address, owner: file,
                untouched: file.holes(segment.offset, count: UInt64(bytes.count), at: segment.address))
        }
        if notes.files.isEmpty {
            image.problems.append("The core file does not say which files were mapped (NT_FILE).")
        }
        if image.mappings.contains(where: \.isListedOnly) {
            image.problems.append(
                "The core file has no segments of some mapped files, as gcore writes it: what the program has excluded from core "
                    + "files (MADV_DONTDUMP) is missing without a trace.")
        }
        var files = MappedFiles(image, folders: folders)
        files.add(program: program)
        noteUnread(loads, file)
        for thread in notes.unreadThreads { image.unread.add(thread: thread, because: "its NT_PRSTATUS is damaged") }
        if notes.threads.isEmpty {
            image.unread.add("the registers of all threads", because: "the core file has no NT_PRSTATUS")
        }
    }

    private static func bytes(of segment: Segment, _ file: FileBytes) -> UnsafeRawBufferPointer {
        file.range(segment.offset, count: min(segment.fileSize, segment.memorySize))
    }

    /// What words of the program may stand in and is neither in the core file nor, unchanged, in a mapped one. The kernel leaves
    /// out private memory that was never written (`vma_dump_size` in fs/coredump.c): variables of an image that are
    /// not there are zero, or as its file has them.
    private func noteUnread(_ loads: [Segment], _ file: FileBytes) {
        let images = ELFImages(image)
        for segment in loads {
            guard let mapping = image.mapping(at: segment.address), images.mayHoldWords(mapping) else { continue }
            let (start, end) = (segment.address, segment.address + segment.memorySize)
            let stored = start + min(segment.fileSize, segment.memorySize)
            image.unread.add(
                memory: start + UInt64(Self.bytes(of: segment, file).count)..<stored,
                because: "the core file is cut off")
            let isUnwritten = !mapping.isWritable || images.contains(start)
            if stored < end, !isUnwritten, image.piece(at: stored) == nil {
                image.unread.add(memory: stored..<end, because: Self.leftOut)
            }
        }
        for mapping in image.mappings
        where mapping.isListedOnly && mapping.isSharedMemory && image.piece(at: mapping.start) == nil {
            image.unread.add(memory: mapping.start..<mapping.end, because: Self.leftOut)
        }
    }

    private static let leftOut = "the core file leaves it out, as coredump_filter or MADV_DONTDUMP ask"

    /// The loaded segments, with the files of the mappings; and files of which the core file has no segment.
    private static func mappings(_ loads: [Segment], _ files: [MemoryImage.Mapping]) -> [MemoryImage.Mapping] {
        let sorted = files.sorted { $0.start < $1.start }
        let result = loads.map { load -> MemoryImage.Mapping in
            var mapping = MemoryImage.Mapping(
                start: load.address, end: load.address + load.memorySize, isWritable: load.flags & 2 != 0)
            if let file = sorted.last(where: { $0.start <= load.address }), load.address < file.end {
                mapping.file = file.file
                mapping.offset = file.offset &+ (load.address - file.start)
            }
            // The kernel stores no memory of a device: the name is wrong, and what is stored may be the program's.
            if mapping.isForeign, load.fileSize > 0 { (mapping.file, mapping.offset) = ("", 0) }
            return mapping
        }
        let known = result.sorted { $0.start < $1.start }
        // gcore leaves out what the file holds unchanged: code and constants.
        let others = sorted.filter { file in
            known.first { $0.end > file.start }.map { $0.start >= file.end } ?? true
        }
        return result
            + others.map { file in
                var mapping = file
                mapping.isListedOnly = true
                return mapping
            }
    }
}

/// What the notes of a core file say.
private struct CoreNotes {
    private enum Kind {
        static let (status, floats, info, files): (UInt32, UInt32, UInt32, UInt32) = (1, 2, 3, 0x4649_4c45)
        /// The upper parts of vectors (`NT_X86_XSTATE`).
        static let vectors: UInt32 = 0x202
        static let signal: UInt32 = 0x5349_4749
    }

    let registers: ThreadRegisters
    var threads: [MemoryImage.Thread] = []
    var unreadThreads: [UInt32] = []
    var files: [MemoryImage.Mapping] = []
    var pid: UInt32 = 0
    var command = ""
    var signal: Int32 = 0
    var faultAddress: UInt64?

    init(registers: ThreadRegisters) { self.registers = registers }

    mutating func read(_ numbers: FileNumbers) {
        var at: UInt64 = 0
        while let nameSize = numbers.u32(at), let size = numbers.u32(at &+ 4), let type = numbers.u32(at &+ 8) {
            let contents = at + 12 + (UInt64(nameSize) + 3) / 4 * 4
            let end = contents + (UInt64(size) + 3) / 4 * 4
            guard UInt64(size) <= UInt64(numbers.bytes.count), contents <= UInt64(numbers.bytes.count) - UInt64(size)
            else { return }
            let range = Int(contents)..<Int(contents) + Int(size)
            let note = FileNumbers(bytes: UnsafeRawBufferPointer(rebasing: numbers.bytes[range]))
            switch type {
            case Kind.status: readStatus(note)
            case Kind.floats where !threads.isEmpty, Kind.vectors where !threads.isEmpty:
                let words = (0..<UInt64(note.bytes.count / 8)).compactMap { note.u64(8 * $0) }
                threads[threads.count - 1].registers += words
            case Kind.info: readInfo(note)
            case Kind.files: readFiles(note)
            case Kind.signal where threads.count == 1: readSignal(note)
            default: break
            }
            at = end
        }
    }

    /// `struct elf_prstatus`
    private mutating func readStatus(_ note: FileNumbers) {
        let words = (0..<UInt64(registers.count)).compactMap { note.u64(112 + 8 * $0) }
        guard let id = note.u32(32), let thread = registers.thread(id, words) else {
            unreadThreads.append(note.u32(32) ?? 0)
            return
        }
        if threads.isEmpty, let cause = note.u16(12) { signal = Int32(cause) }
        threads.append(thread)
    }

    /// `siginfo_t`: number, error, code, and for a fault the address. The kernel has none for a general protection fault
    /// (`SI_KERNEL`).
    private mutating func readSignal(_ note: FileNumbers) {
        let faults: Set<UInt32> = [UInt32(SIGILL), UInt32(SIGTRAP), UInt32(SIGBUS), UInt32(SIGFPE), UInt32(SIGSEGV)]
        guard let number = note.u32(0), Int32(bitPattern: number) == signal, faults.contains(number),
            let code = note.u32(8), Int32(bitPattern: code) > 0, code != 0x80
        else { return }
        faultAddress = note.u64(16)
    }

    /// `struct elf_prpsinfo`
    private mutating func readInfo(_ note: FileNumbers) {
        guard let id = note.u32(24), note.bytes.count >= 136 else { return }
        pid = id
        command = String(decoding: note.bytes[56..<136].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// count, page size, count × (start, end, offset in pages), count × name
    private mutating func readFiles(_ note: FileNumbers) {
        guard let count = note.u64(0), let page = note.u64(8), count <= UInt64(note.bytes.count) / 24 else { return }
        guard 16 + 24 * count <= UInt64(note.bytes.count) else { return }
        let names = note.bytes[Int(16 + 24 * count)...].split(
            separator: 0, maxSplits: Int(count), omittingEmptySubsequences: false)
        for (index, name) in zip(0..<count, names) {
            guard let start = note.u64(16 + 24 * index), let end = note.u64(24 + 24 * index),
                let offset = note.u64(32 + 24 * index), start < end
            else { continue }
            files.append(
                MemoryImage.Mapping(
                    start: start, end: end, file: String(decoding: name, as: UTF8.self),
                    offset: offset.multipliedReportingOverflow(by: page).partialValue))
        }
    }
}
