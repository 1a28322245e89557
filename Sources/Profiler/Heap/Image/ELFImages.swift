import Foundation
import GameprofBasics
import GameprofTrace

/// The loaded executables and libraries of an image, and what of their memory may be read as metadata.
struct ELFImages {
    private(set) var records: [ImageRecord] = []
    /// By address, as far as they are loaded.
    private var ranges: [(start: UInt64, end: UInt64)] = []
    private var executable: [(start: UInt64, end: UInt64)] = []
    /// What the loader may write, before it protects a part of it (`PT_GNU_RELRO`).
    private var writable: [(start: UInt64, end: UInt64)] = []

    init(_ image: MemoryImage) {
        for head in image.mappings where head.isFile && head.offset == 0 {
            guard let header = ELFHeader(image, at: head.start), !records.contains(where: { $0.start == head.start })
            else {
                continue
            }
            let text = header.segments.first { $0.type == 1 && $0.flags & 1 != 0 }
            records.append(
                ImageRecord(
                    path: head.file, bias: header.bias, start: head.start, end: header.end,
                    textStart: text.map { header.bias &+ $0.address } ?? 0,
                    textEnd: text.map { header.bias &+ $0.address &+ $0.memorySize } ?? 0,
                    buildID: header.buildID(image)))
            for segment in header.segments where segment.type == 1 {
                let start = header.bias &+ segment.address
                ranges.append((start, start &+ segment.memorySize))
                if segment.flags & 1 != 0 { executable.append((start, start &+ segment.memorySize)) }
                if segment.flags & 2 != 0 { writable.append((start & ~0xfff, start &+ segment.memorySize)) }
            }
        }
        ranges.sort { $0.start < $1.start }
        executable.sort { $0.start < $1.start }
        writable.sort { $0.start < $1.start }
    }

    static func buildID(_ image: MemoryImage, at head: UInt64) -> [UInt8]? {
        ELFHeader(image, at: head)?.buildID(image)
    }

    /// The addresses of functions and variables that a loaded image defines for others (`DT_SYMTAB`).
    static func definitions(of names: Set<String>, _ image: MemoryImage, at head: UInt64) -> [String: UInt64] {
        ELFHeader(image, at: head)?.definitions(of: names, image) ?? [:]
    }

    static func isELF(_ path: String) -> Bool {
        path.hasSuffix(".so") || path.contains(".so.") || path.split(separator: "/").last?.contains(".") == false
    }

    func contains(_ address: UInt64, count: UInt64 = 1) -> Bool { Self.find(ranges, address, count) }

    func isExecutable(_ address: UInt64) -> Bool { Self.find(executable, address, 1) }

    /// Whether words of the program may stand in a mapping: it writes there, or has written there and protected it since.
    func mayHoldWords(_ mapping: MemoryImage.Mapping) -> Bool {
        if mapping.isForeign { return false }
        if mapping.isWritable || !mapping.isFile { return true }
        return contains(mapping.start) ? Self.find(writable, mapping.start, 1) : mapping.isListedOnly
    }

    private static func find(_ ranges: [(start: UInt64, end: UInt64)], _ address: UInt64, _ count: UInt64) -> Bool {
        let found = partition(0..<ranges.count) { ranges[$0].end > address }
        return found < ranges.count && ranges[found].start <= address && count <= ranges[found].end - address
    }
}

/// The head of an ELF image in memory.
private struct ELFHeader {
    let segments: [ELFFile.Segment]
    var bias: UInt64
    var end: UInt64

    init?(_ image: MemoryImage, at head: UInt64) {
        guard image.u32(head) == 0x464c_457f, let type = image.u16(head + 16), type == 2 || type == 3 else {
            return nil
        }
        segments = image.segments(at: head)
        let loads = segments.filter { $0.type == 1 && $0.address <= UInt64.max - $0.memorySize }
        guard let first = loads.map(\.address).min(), let last = loads.map({ $0.address + $0.memorySize }).max() else {
            return nil
        }
        bias = head &- first & ~0xfff
        end = bias &+ last
        guard end > head else { return nil }
    }

    /// Linkers put the names right behind the symbols.
    func definitions(of wanted: Set<String>, _ image: MemoryImage) -> [String: UInt64] {
        guard let dynamic = segments.first(where: { $0.type == 2 }) else { return [:] }
        var (symbols, names): (UInt64, UInt64) = (0, 0)
        for entry in 0..<min(dynamic.memorySize / 16, 256) {
            let at = bias &+ dynamic.address &+ 16 &* entry
            guard let tag = image.word(at), tag != 0, let value = image.word(at + 8) else { break }
            // The loader of the C library makes addresses of them.
            if tag == 6 { symbols = value < bias ? bias &+ value : value }
            if tag == 5 { names = value < bias ? bias &+ value : value }
        }
        guard symbols > 0, names > symbols else { return [:] }
        let longest = wanted.map(\.utf8.count).max() ?? 0
        var found: [String: UInt64] = [:]
        for symbol in stride(from: symbols, to: min(names, symbols &+ 24 << 20), by: 24) {
            guard let word = image.word(symbol), word >> 48 != 0, [1, 2, 10].contains(word >> 32 & 0xf),
                let name = image.text(names &+ word & 0xffff_ffff, limit: longest + 1), wanted.contains(name),
                let value = image.word(symbol &+ 8)
            else { continue }
            found[name] = bias &+ value
            if found.count == wanted.count { break }
        }
        return found
    }

    func buildID(_ image: MemoryImage) -> [UInt8] {
        segments.lazy.filter { $0.type == 4 }
            .compactMap { image.buildID(inNotesAt: bias &+ $0.address, size: $0.memorySize) }.first ?? []
    }
}

extension MemoryImage: ELFSource {
    package func u64(_ address: UInt64) -> UInt64? { word(address) }

    package func bytes(_ address: UInt64, count: UInt64) -> [UInt8]? {
        bytes(at: address, count: count).map { Array(UnsafeRawBufferPointer(start: $0, count: Int(count))) }
    }
}
