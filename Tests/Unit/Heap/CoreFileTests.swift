import Foundation
import Testing

@testable import GameprofHeap
@testable import GameprofSampling
@testable import GameprofTrace

/// Core files that are made byte by byte, and damaged ones.
@Suite("Core files") struct CoreFileTests {
    /// A core file with one thread, one mapped file and the given memory.
    /// - Parameter leftOut: writable memory of which the file has none.
    private static func core(
        _ memory: [(address: UInt64, bytes: [UInt8])], leftOut: [Range<UInt64>] = [], notes: [UInt8]? = nil
    ) -> [UInt8] {
        let notes = notes ?? Self.notes()
        var head: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
        head += bytes(UInt16(4)) + bytes(UInt16(62)) + bytes(UInt32(1)) + bytes(UInt64(0)) + bytes(UInt64(64))
        head += bytes(UInt64(0)) + bytes(UInt32(0)) + bytes(UInt16(64)) + bytes(UInt16(56))
        head += bytes(UInt16(memory.count + leftOut.count + 1)) + [UInt8](repeating: 0, count: 6)
        var offset = UInt64(64 + 56 * (memory.count + leftOut.count + 1))
        func segment(_ type: UInt32, _ address: UInt64, _ count: Int, of size: Int? = nil) -> [UInt8] {
            defer { offset += UInt64(count) }
            return bytes(type) + bytes(UInt32(6)) + bytes(offset) + bytes(address) + bytes(UInt64(0))
                + bytes(UInt64(count)) + bytes(UInt64(size ?? count)) + bytes(UInt64(1))
        }
        var contents: [UInt8] = notes
        head += segment(4, 0, notes.count)
        for (address, bytes) in memory {
            head += segment(1, address, bytes.count)
            contents += bytes
        }
        for range in leftOut { head += segment(1, range.lowerBound, 0, of: range.count) }
        return head + contents
    }

    private static func notes(file: String = "/no/such/file") -> [UInt8] {
        var status = [UInt8](repeating: 0, count: 336)
        status.replaceSubrange(12..<14, with: bytes(UInt16(11)))
        status.replaceSubrange(32..<36, with: bytes(UInt32(77)))
        status.replaceSubrange(112 + 19 * 8..<112 + 20 * 8, with: bytes(UInt64(0x7000)))
        let files =
            bytes(UInt64(1)) + bytes(UInt64(4096)) + bytes(UInt64(0x40000)) + bytes(UInt64(0x41000))
            + bytes(UInt64(2)) + Array("\(file)\0".utf8)
        return note(1, status) + note(0x4649_4c45, files)
    }

    private static func note(_ type: UInt32, _ contents: [UInt8]) -> [UInt8] {
        bytes(UInt32(5)) + bytes(UInt32(contents.count)) + bytes(type) + Array("CORE\0\0\0\0".utf8) + contents
            + [UInt8](repeating: 0, count: (4 - contents.count % 4) % 4)
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func read(_ bytes: [UInt8]) throws -> CoreFile {
        let path = FileManager.default.temporaryDirectory.appending(path: "core-\(UUID().uuidString)").path
        try Data(bytes).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try CoreFile(path: path)
    }

    @Test("a mapped file that is a FIFO counts as missing, and nobody is waited for")
    func mappedFIFO() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "fifo-\(UUID().uuidString).so").path
        #expect(mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let core = try Self.read(Self.core([(0x10000, [1])], notes: Self.notes(file: path)))
        #expect(!core.image.has(0x40000, count: 1))
    }

    @Test("memory that is stored is the program's, though a device is named as its file")
    func namedDevice() throws {
        let core = try Self.read(Self.core([(0x40000, [1, 2, 3, 4])], notes: Self.notes(file: "/dev/stdin")))
        #expect(core.image.u32(0x40000) == 0x0403_0201)
        #expect(core.image.mapping(at: 0x40000)?.isForeign == false)
    }

    @Test("memory, threads and files are those that were written")
    func sound() throws {
        let core = try Self.read(Self.core([(0x10000, [1, 2, 3, 4, 5, 6, 7, 8, 9]), (0x10009, [10])]))
        #expect(core.image.word(0x10000) == 0x0807_0605_0403_0201)
        #expect(core.image.u8(0x10009) == 10)
        #expect(core.image.u16(0x10009) == nil)
        #expect(core.image.word(0xfffc) == nil && core.image.word(.max) == nil)
        #expect(core.image.threads.map(\.id) == [77] && core.image.threads[0].stackPointer == 0x7000)
        #expect(core.signal == 11)
        #expect(core.image.mapping(at: 0x40800)?.file == "/no/such/file")
        #expect(core.image.mapping(at: 0x40800)?.offset == 8192)
        #expect(core.image.problems.first?.contains("as gcore writes it") == true)
        #expect(
            core.image.problems.dropFirst() == [
                "/no/such/file is missing or has changed since it was mapped: name the executable with --program."
            ])
    }

    @Test("what a core file leaves out of its blocks is zero, and a search passes over it")
    func holes() throws {
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        let whole = Self.core([(0x10000, [1, 2, 3, 4]), (0x20_0000, zeros), (0x40_0000, zeros + [7])])
        let path = FileManager.default.temporaryDirectory.appending(path: "core-\(UUID().uuidString)").path
        try Data(whole.dropLast(2 * zeros.count + 1)).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seek(toOffset: UInt64(whole.count - 1))
        try file.write(contentsOf: Data([7]))
        let image = try CoreFile(path: path).image
        #expect(image.u32(0x10000) == 0x0403_0201 && image.u8(0x50_0000) == 7)
        #expect(image.word(0x28_0000) == 0 && image.covers(0x20_0000, count: 1 << 20))
        #expect(image.piece(at: 0x28_0000) == nil && (0x40_0000..<0x50_0001).contains(image.next(from: 0x28_0000)))
    }

    @Test("the registers of a thread are all of its notes")
    func registers() throws {
        let notes = Self.notes() + Self.note(2, Self.bytes(UInt64(5))) + Self.note(0x202, Self.bytes(UInt64(9)))
        let core = try Self.read(Self.core([(0x10000, [1])], notes: notes))
        #expect(core.image.threads[0].registers.suffix(2) == [5, 9])
    }

    /// A thread that a signal ended.
    private static func status(_ signal: Int32, thread: UInt32 = 77, sp: UInt64 = 0x7000) -> [UInt8] {
        var status = [UInt8](repeating: 0, count: 336)
        status.replaceSubrange(12..<14, with: bytes(UInt16(signal)))
        status.replaceSubrange(32..<36, with: bytes(thread))
        status.replaceSubrange(112 + 19 * 8..<112 + 20 * 8, with: bytes(sp))
        return note(1, status)
    }

    private static func signal(_ number: Int32, code: Int32, address: UInt64) -> [UInt8] {
        note(
            0x5349_4749,
            bytes(number) + bytes(Int32(0)) + bytes(code) + bytes(Int32(0)) + bytes(address)
                + [UInt8](repeating: 0, count: 104))
    }

    @Test(
        "the address of a fault is the first thread's, and a signal that was sent has none",
        arguments: [
            (SIGSEGV, Int32(1), UInt64(16)), (SIGILL, 2, 0x5000), (SIGSEGV, 0x80, nil), (SIGSEGV, -6, nil),
            (SIGABRT, 1, nil), (SIGSEGV, 0, nil),
        ])
    func fault(_ number: Int32, _ code: Int32, _ address: UInt64?) throws {
        let first = Self.status(number) + Self.signal(number, code: code, address: address ?? 99)
        let second = Self.status(SIGSEGV, thread: 78) + Self.signal(SIGSEGV, code: 1, address: 7)
        let core = try Self.read(Self.core([(0x10000, [1])], notes: first + second))
        #expect(core.signal == number && core.faultAddress == address)
        var recording = Recording()
        recording.program = ProgramRecord(pid: 77, executable: "/bin/game")
        CoreStacks.add(core, to: &recording)
        #expect(recording.crash?.signal == number && recording.crash?.address == address)
        #expect(recording.threadStacks.map(\.thread.rawValue) == [77, 78])
        #expect(recording.threadName(ThreadID(77)) == "main" && recording.threadName(ThreadID(78)) == "2")
    }

    private static let begin: UInt64 = 0x7f00_0000_0000

    @Test(
        "a fault in the room below the stack is a stack overflow, and no other is",
        arguments: [
            (begin - 8, begin, true), (begin - 4096, begin + 16, true), (begin - 8, begin - 4096, true),
            (0x10, begin, false), (begin + 16, begin, false), (begin - 8, 0x900_0000, false), (.max, begin, false),
        ])
    func overflow(_ address: UInt64, _ sp: UInt64, _ overflows: Bool) throws {
        let notes = Self.status(SIGSEGV, sp: sp) + Self.signal(SIGSEGV, code: 1, address: address)
        let stack = (address: Self.begin, bytes: [UInt8](repeating: 0, count: 64))
        var recording = Recording()
        CoreStacks.add(try Self.read(Self.core([stack, (0x900_0000, [1])], notes: notes)), to: &recording)
        #expect(recording.crash?.isStackOverflow == overflows)
    }

    @Test("a compressed core file is what was compressed, with holes for zeros")
    func packed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "packed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var random = SystemRandomNumberGenerator()
        let noise = (0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let zeros = [UInt8](repeating: 0, count: 2_500_001)
        for (number, memory) in [[noise, zeros, [7]], [[1], zeros], [zeros, noise]].enumerated() {
            let core = Self.core(memory.enumerated().map { (UInt64($0.offset + 1) << 24, $0.element) })
            // Frames one behind the other are one file.
            let half = core.count / 2
            let frames = Self.compressed(Array(core[..<half])) + Self.compressed(Array(core[half...]))
            let (path, target) = (
                folder.appending(path: "\(number).zst").path, folder.appending(path: "\(number)").path
            )
            try Data(frames).write(to: URL(filePath: path))
            #expect(PackedCore.isCore(path) && !CoreFile.isCore(path))
            try PackedCore.unpack(path, to: target)
            #expect(try Array(Data(contentsOf: URL(filePath: target))) == core)
            var status = stat()
            #expect(stat(target, &status) == 0 && status.st_mode & 0o777 == 0o600)
            #expect(Int(status.st_blocks) * 512 < core.count - 2_000_000)
            // What is cut off is read as far as it goes; what is damaged is refused.
            try Data(frames.dropLast(frames.count / 3)).write(to: URL(filePath: path))
            try PackedCore.unpack(path, to: target + ".cut")
            #expect(try core.starts(with: Data(contentsOf: URL(filePath: target + ".cut"))))
            try Data(frames + [1, 2, 3, 4, 5]).write(to: URL(filePath: path))
            #expect(throws: MemoryImageError.self) { try PackedCore.unpack(path, to: target + ".damaged") }
        }
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: Zstd.bound(bytes.count))
        let count = bytes.withUnsafeBytes { bytes in room.withUnsafeMutableBytes { Zstd.compress(bytes, into: $0) } }
        return Array(room.prefix(count ?? 0))
    }

    @Test("overlapping memory is what came first")
    func overlapping() throws {
        let core = try Self.read(
            Self.core([(0x1004, [9, 9, 9, 9]), (0x1000, [UInt8](repeating: 5, count: 16))]))
        #expect(core.image.u8(0x1003) == 5 && core.image.u8(0x1004) == 9 && core.image.u8(0x1008) == 5)
    }

    @Test("a file that is cut off at any byte is read as far as it reaches, or refused in a sentence")
    func cutOff() throws {
        let whole = Self.core([(0x10000, [UInt8](repeating: 1, count: 64))])
        for count in stride(from: 0, to: whole.count, by: 7) {
            do throws(MemoryImageError) {
                let core = try CoreFile.ofBytes(Array(whole.prefix(count)))
                #expect(core.image.unread.clause.contains("(the core file is cut off)"))
            } catch {
                #expect(error.isInput && error.sentence.hasSuffix("."))
            }
        }
    }

    @Test("memory that the program may write and the file leaves out is unread, and what is whole is not")
    func leftOut() throws {
        #expect(try Self.read(Self.core([(0x10000, [1])])).image.unread.isEmpty)
        let core = try Self.read(Self.core([(0x10000, [1])], leftOut: [0x20000..<0x24000]))
        #expect(core.image.unread.clause.hasPrefix("16 KB of memory (the core file leaves it out"))
    }

    @Test(
        "of files that the file only names, those in memory alone are unread",
        arguments: [("/dev/zero (deleted)", false), ("/memfd:table (deleted)", false), ("/no/such/file", true)])
    func named(_ file: String, isRead: Bool) throws {
        let core = try Self.read(Self.core([(0x10000, [1])], notes: Self.notes(file: file)))
        #expect(core.image.unread.isEmpty == isRead)
    }

    @Test("threads without registers are unread")
    func withoutRegisters() throws {
        let none = try Self.read(Self.core([(0x10000, [1])], notes: []))
        #expect(
            none.image.unread.clause
                == "the registers of all threads (the core file has no NT_PRSTATUS) could not be read")
        let short = Self.note(1, [UInt8](repeating: 0, count: 200))
        let damaged = try Self.read(Self.core([(0x10000, [1])], notes: Self.notes() + short))
        #expect(damaged.image.unread.clause == "1 thread (its NT_PRSTATUS is damaged) could not be read")
    }

    @Test("a file with any word overwritten does no harm")
    func damaged() throws {
        let whole = Self.core([(0x10000, [UInt8](repeating: 1, count: 64)), (0x20000, [2])])
        for at in stride(from: 0, to: whole.count - 8, by: 4) {
            for value in [UInt64.max, 1 << 63, 0x7fff_ffff_ffff_fff8, 1 << 32] {
                var bytes = whole
                bytes.replaceSubrange(at..<at + 8, with: Self.bytes(value))
                guard let core = try? CoreFile.ofBytes(bytes) else { continue }
                var recording = Recording()
                CoreStacks.add(core, to: &recording)
                #expect(recording.threadStacks.count == core.image.threads.count)
                for address: UInt64 in [0, 0x10000, 0x1003c, 0x20000, .max - 3] { _ = core.image.word(address) }
                #expect(try MallocWalk.blocks(of: core.image) == nil)
                #expect(ObjectScan.blocks(of: core.image).count == 0)
            }
        }
    }
}

extension CoreFile {
    fileprivate static func ofBytes(_ bytes: [UInt8]) throws(MemoryImageError) -> CoreFile {
        let path = FileManager.default.temporaryDirectory.appending(path: "core-\(UUID().uuidString)").path
        FileManager.default.createFile(atPath: path, contents: Data(bytes))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try CoreFile(path: path)
    }
}
