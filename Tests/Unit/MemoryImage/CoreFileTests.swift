import Foundation
import Testing

@testable import GameprofMemoryImage

/// Core files that are made byte by byte, and damaged ones.
@Suite("Core files") struct CoreFileTests {
    /// A core file with one thread, one mapped file and the given memory.
    private static func core(_ memory: [(address: UInt64, bytes: [UInt8])], notes: [UInt8]? = nil) -> [UInt8] {
        let notes = notes ?? Self.notes()
        var head: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
        head += bytes(UInt16(4)) + bytes(UInt16(62)) + bytes(UInt32(1)) + bytes(UInt64(0)) + bytes(UInt64(64))
        head += bytes(UInt64(0)) + bytes(UInt32(0)) + bytes(UInt16(64)) + bytes(UInt16(56))
        head += bytes(UInt16(memory.count + 1)) + [UInt8](repeating: 0, count: 6)
        var offset = UInt64(64 + 56 * (memory.count + 1))
        func segment(_ type: UInt32, _ address: UInt64, _ count: Int) -> [UInt8] {
            defer { offset += UInt64(count) }
            return bytes(type) + bytes(UInt32(6)) + bytes(offset) + bytes(address) + bytes(UInt64(0))
                + bytes(UInt64(count)) + bytes(UInt64(count)) + bytes(UInt64(1))
        }
        var contents: [UInt8] = notes
        head += segment(4, 0, notes.count)
        for (address, bytes) in memory {
            head += segment(1, address, bytes.count)
            contents += bytes
        }
        return head + contents
    }

    private static func notes() -> [UInt8] {
        var status = [UInt8](repeating: 0, count: 336)
        status.replaceSubrange(12..<14, with: bytes(UInt16(11)))
        status.replaceSubrange(32..<36, with: bytes(UInt32(77)))
        status.replaceSubrange(112 + 19 * 8..<112 + 20 * 8, with: bytes(UInt64(0x7000)))
        let files =
            bytes(UInt64(1)) + bytes(UInt64(4096)) + bytes(UInt64(0x40000)) + bytes(UInt64(0x41000))
            + bytes(UInt64(2)) + Array("/no/such/file\0".utf8)
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
        #expect(
            core.image.problems == [
                "/no/such/file is missing or has changed since it was mapped: name the executable with --program."
            ])
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
                #expect(core.image.problems.contains { $0.contains("cut off") })
            } catch {
                #expect(error.isInput && error.sentence.hasSuffix("."))
            }
        }
    }

    @Test("a file with any word overwritten does no harm")
    func damaged() throws {
        let whole = Self.core([(0x10000, [UInt8](repeating: 1, count: 64)), (0x20000, [2])])
        for at in stride(from: 0, to: whole.count - 8, by: 4) {
            for value in [UInt64.max, 1 << 63, 0x7fff_ffff_ffff_fff8, 1 << 32] {
                var bytes = whole
                bytes.replaceSubrange(at..<at + 8, with: Self.bytes(value))
                guard let core = try? CoreFile.ofBytes(bytes) else { continue }
                for address: UInt64 in [0, 0x10000, 0x1003c, 0x20000, .max - 3] { _ = core.image.word(address) }
                #expect(throws: MemoryImageError.self) { _ = try MallocWalk.blocks(of: core.image) }
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
