import Foundation
import GameprofImageSymbols

/// A part of an image file that is mapped as code.
struct CodeMapping: Equatable {
    var start: UInt64
    var end: UInt64
    var offset: UInt64
    /// As the kernel names it.
    var path: String
}

/// Where the images of this process lie, and whose functions they hold.
struct ProcessImages {
    let mappings: [CodeMapping]
    /// Where the beginning of each file is mapped, by path.
    private let beginnings: [String: UInt64]

    /// `maps`: as `/proc/self/maps` has it.
    init(maps: String) {
        var mappings: [CodeMapping] = []
        var beginnings: [String: UInt64] = [:]
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard words.count == 6, let path = Self.path(words[5]),
                let offset = UInt64(words[2], radix: 16)
            else { continue }
            let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard bounds.count == 2, bounds[0] < bounds[1] else { continue }
            if offset == 0, beginnings[path] == nil { beginnings[path] = bounds[0] }
            guard words[1].dropFirst(2).first == "x" else { continue }
            mappings.append(CodeMapping(start: bounds[0], end: bounds[1], offset: offset, path: path))
        }
        self.mappings = mappings
        self.beginnings = beginnings
    }

    /// Of a line's end, which begins with spaces; nil: not of a file. What the kernel puts behind a deleted file's path stays:
    /// that path leads to no file, or to another.
    private static func path(_ rest: Substring) -> String? {
        let path = rest.drop { $0 == " " }
        return path.hasPrefix("/") ? String(path) : nil
    }

    static func now() -> ProcessImages { ProcessImages(maps: ProcFile.text("/proc/self/maps")) }

    /// Index of the mapping that holds the address. O(log mappings): the kernel lists them in order.
    func index(of address: UInt64) -> Int? {
        var low = 0
        var high = mappings.count
        while low < high {
            let middle = (low + high) / 2
            if mappings[middle].start <= address { low = middle + 1 } else { high = middle }
        }
        return low > 0 && address < mappings[low - 1].end ? low - 1 : nil
    }

    /// Where the file of that path begins in memory.
    func beginning(of path: String) -> UInt64? { beginnings[path] }
}

/// The functions of an image file that is mapped here.
final class ImageFunctions {
    let buildID: String
    private let file: ELFFile
    private lazy var symbols = ELFSymbols(file)

    /// `beginning`: where the file's first bytes are in memory. Nil: it cannot be read, or it is another file than the mapped
    /// one, for it was replaced meanwhile.
    init?(path: String, beginning: UInt64?, program: String) {
        let readable = path == program ? "/proc/self/exe" : path
        guard let data = Self.mapped(readable), let file = try? ELFFile(data, path: path) else { return nil }
        if readable == path, let beginning, !Self.isMapped(file, at: beginning) { return nil }
        self.file = file
        buildID = file.buildID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The contents of a file, of which only what is looked at comes into memory. Whoever shortens the file meanwhile ends this
    /// process by that: also without this, for its code is the same file's.
    private static func mapped(_ path: String) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0 else { return nil }
        let size = Int(facts.st_size)
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            return nil
        }
        return Data(bytesNoCopy: start, count: size, deallocator: .unmap)
    }

    /// Compares the notes, where the build id stands. The kernel reads: the image may be unloaded meanwhile. Where it does not
    /// permit that, the file is taken for the mapped one.
    private static func isMapped(_ file: ELFFile, at beginning: UInt64) -> Bool {
        let noteSegment: UInt32 = 4
        let longest: UInt64 = 4096
        guard let note = file.segments.first(where: { $0.type == noteSegment && $0.fileSize <= longest }),
            note.offset <= UInt64(file.data.count), note.fileSize <= UInt64(file.data.count) - note.offset
        else { return true }
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { return true }
        defer { close(memory) }
        var bytes = [UInt8](repeating: 0, count: Int(note.fileSize))
        guard pread(memory, &bytes, bytes.count, off_t(beginning &+ note.offset)) == bytes.count else { return true }
        let start = file.data.startIndex + Int(note.offset)
        return Array(file.data[start..<start + bytes.count]) == bytes
    }

    /// The symbol at a place of the file; nil: none is known.
    func symbol(at offset: UInt64) -> String? {
        let loadSegment: UInt32 = 1
        guard
            let segment = file.segments.first(where: {
                $0.type == loadSegment && $0.offset <= offset && offset - $0.offset < $0.fileSize
            })
        else { return nil }
        return symbols.name(at: offset - segment.offset &+ segment.address)
    }
}
