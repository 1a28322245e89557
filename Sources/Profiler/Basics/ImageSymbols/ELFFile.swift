import Foundation

/// An ELF file, read by position and with every bound checked: what the tool must know of a program before it is run
/// and of an image whose symbols it reads.
public struct ELFFile: Sendable {
    /// Why a file is not an ELF file that can be used.
    public enum Problem: Error, Hashable, Sendable {
        case unreadable(reason: String)
        case notELF
        /// Of another word size or byte order.
        case notLittleEndian64
        case damaged
    }

    /// A segment (`Elf64_Phdr`).
    package struct Segment: Sendable, Hashable {
        package var type: UInt32
        package var flags: UInt32
        package var offset: UInt64
        package var address: UInt64
        package var fileSize: UInt64
        package var memorySize: UInt64

        package init(
            type: UInt32, flags: UInt32, offset: UInt64, address: UInt64, fileSize: UInt64, memorySize: UInt64
        ) {
            (self.type, self.flags, self.offset) = (type, flags, offset)
            (self.address, self.fileSize, self.memorySize) = (address, fileSize, memorySize)
        }
    }

    /// A section (`Elf64_Shdr`).
    struct Section: Sendable {
        var name: String
        var type: UInt32
        var offset: UInt64
        var size: UInt64
        var link: UInt32
    }

    public let path: String
    /// `e_machine`: 62 is x86-64.
    public let machine: UInt16
    /// `e_type`: 2 is an executable at a fixed address, 3 is a shared object or a position-independent executable.
    public let type: UInt16
    /// Path of the dynamic loader (`PT_INTERP`); nil: fully static, or a library.
    public let interpreter: String?
    /// The contents of the GNU build id note; empty: none.
    public let buildID: [UInt8]
    package let segments: [Segment]
    let sections: [Section]
    package let data: Data

    /// Reads the file at `path`, which has to be regular.
    public init(path: String) throws(Problem) {
        let data: Data
        do { data = try RegularFile.read(path) } catch { throw .unreadable(reason: error.reason) }
        try self.init(data, path: path)
    }

    /// Reads the headers of a file with these contents; `path` is what it is called.
    package init(_ data: Data, path: String) throws(Problem) {
        self.data = data
        guard data.count >= 20, data.prefix(4) == Data([0x7f, 0x45, 0x4c, 0x46]) else { throw .notELF }
        guard data[4] == 2, data[5] == 1 else { throw .notLittleEndian64 }
        guard data.count >= 64 else { throw .damaged }
        let bytes = ELFBytes(data)
        self.path = path
        type = bytes.u16(16) ?? 0
        machine = bytes.u16(18) ?? 0
        segments = bytes.segments()
        sections = Self.sections(bytes)
        interpreter = segments.first { $0.type == 3 }.flatMap { bytes.string($0.offset, limit: $0.fileSize) }
        // What is split off for a debugger keeps its sections alone.
        let notes =
            segments.filter { $0.type == 4 }.map { ($0.offset, $0.fileSize) }
            + sections.filter { $0.type == 7 }.map { ($0.offset, $0.size) }
        buildID = notes.lazy.compactMap { bytes.buildID(inNotesAt: $0, size: $1) }.first ?? []
    }

    /// A segment's bytes; nil: they lie outside of the file.
    package func contents(of segment: Segment) -> [UInt8]? {
        ELFBytes(data).bytes(segment.offset, count: segment.fileSize)
    }

    /// Whether it says which lines its code was made of.
    package var hasDebugInformation: Bool { contents(of: ".debug_info") != nil || contents(of: ".zdebug_info") != nil }

    /// Whether it has the symbols of its functions, not only those that it offers to others.
    package var hasSymbolTable: Bool { sections.contains { $0.type == 2 && $0.size > 0 } }

    /// Names of the libraries that it is linked with (`DT_NEEDED`).
    public var libraries: [String] {
        guard let section = sections.first(where: { $0.type == 6 }), section.link < sections.count else { return [] }
        let (bytes, names) = (ELFBytes(data), sections[Int(section.link)].offset)
        return (0..<min(section.size / 16, 65536)).compactMap { index in
            let entry = section.offset &+ 16 &* index
            guard bytes.u64(entry) == 1, let place = bytes.u64(entry &+ 8) else { return nil }
            return bytes.string(names &+ place, limit: 4096)
        }
    }

    /// The name of the file that its debug information was split into, and that file's check sum (`.gnu_debuglink`).
    package var debugLink: (name: String, checksum: UInt32)? {
        guard let section = contents(of: ".gnu_debuglink") else { return nil }
        let bytes = ELFBytes(data)
        guard let name = bytes.string(section.offset, limit: section.size), !name.isEmpty, !name.contains("/"),
            let checksum = bytes.u32(section.offset &+ (UInt64(name.utf8.count) + 4) / 4 * 4)
        else { return nil }
        return (name, checksum)
    }

    /// A section that has contents in this file (not `SHT_NOBITS`).
    private func contents(of name: String) -> Section? {
        sections.first { $0.name == name && $0.type != 8 && $0.size > 0 }
    }

    private static func sections(_ bytes: ELFBytes) -> [Section] {
        guard let start = bytes.u64(40), let size = bytes.u16(58), let count = bytes.u16(60), size >= 64 else {
            return []
        }
        let names = bytes.u16(62).flatMap { bytes.u64(start &+ UInt64($0) &* UInt64(size) &+ 24) }
        return (0..<UInt64(count)).compactMap { index in
            let at = start &+ index &* UInt64(size)
            guard let type = bytes.u32(at &+ 4), let offset = bytes.u64(at &+ 24), let length = bytes.u64(at &+ 32),
                let link = bytes.u32(at &+ 40)
            else { return nil }
            return Section(
                name: bytes.name(at, names), type: type, offset: offset, size: length, link: link)
        }
    }
}

/// Bytes of an ELF file; nil for what lies outside.
struct ELFBytes: ELFSource {
    let data: Data

    init(_ data: Data) { self.data = data }

    func u16(_ offset: UInt64) -> UInt16? { load(offset) }
    func u32(_ offset: UInt64) -> UInt32? { load(offset) }
    func u64(_ offset: UInt64) -> UInt64? { load(offset) }

    /// The text up to a NUL, at most `limit` bytes.
    func string(_ offset: UInt64, limit: UInt64 = 65536) -> String? {
        guard offset < UInt64(data.count) else { return nil }
        let count = min(limit, UInt64(data.count) - offset)
        let start = data.startIndex + Int(offset)
        return String(decoding: data[start..<start + Int(count)].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The name of the section whose header stands at `header`; `names`: where the names begin.
    func name(_ header: UInt64, _ names: UInt64?) -> String {
        guard let names, let place = u32(header) else { return "" }
        return string(names &+ UInt64(place), limit: 64) ?? ""
    }

    func bytes(_ offset: UInt64, count: UInt64) -> [UInt8]? {
        guard offset <= UInt64(data.count), count <= UInt64(data.count) - offset else { return nil }
        let start = data.startIndex + Int(offset)
        return Array(data[start..<start + Int(count)])
    }

    private func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: UInt64) -> T? {
        let size = UInt64(MemoryLayout<T>.size)
        guard UInt64(data.count) >= size, offset <= UInt64(data.count) - size else { return nil }
        return data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: Int(offset), as: T.self) }
    }
}

extension ELFFile {
    /// `e_machine` of the processor that this tool runs on.
    package static var ownMachine: UInt16 {
        #if arch(x86_64)
        62
        #elseif arch(arm64)
        183
        #else
        0
        #endif
    }
}
