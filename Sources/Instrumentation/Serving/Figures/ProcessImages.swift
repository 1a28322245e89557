import Foundation
import GameprofBasics

/// A part of an image file that is mapped as code.
struct CodeMapping: Equatable {
    var start: UInt64
    var end: UInt64
    var offset: UInt64
    /// As the kernel names it.
    var path: String
    /// Index of the image that it belongs to; nil: it was not mapped by the loader.
    var image: Int?
}

/// Where the images of this process lie, and whose functions they hold.
struct ProcessImages {
    let mappings: [CodeMapping]
    /// In the order of their addresses.
    let loaded: [LoadedImage]

    /// `maps`: as `/proc/self/maps` has it, of which only the paths and places of code are taken: it lists every mapping of an
    /// image's file, also those by which symbols are read. `loaded`: in the order of their addresses.
    init(maps: String, loaded: [LoadedImage]) {
        var mappings: [CodeMapping] = []
        var paths: [Int: String] = [:]
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard words.count == 6, let path = Self.path(words[5]),
                let offset = UInt64(words[2], radix: 16)
            else { continue }
            let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard bounds.count == 2, bounds[0] < bounds[1] else { continue }
            guard words[1].dropFirst(2).first == "x" else { continue }
            var image = Self.last(loaded, from: bounds[0]) { $0.extent.lowerBound }
            if let index = image, !loaded[index].extent.contains(bounds[0]) || paths[index] ?? path != path {
                image = nil
            }
            if let image { paths[image] = path }
            mappings.append(
                CodeMapping(start: bounds[0], end: bounds[1], offset: offset, path: path, image: image))
        }
        self.mappings = mappings
        self.loaded = loaded
    }

    /// Of a line's end, which begins with spaces; nil: not of a file. What the kernel puts behind a deleted file's path stays:
    /// that path leads to no file, or to another.
    private static func path(_ rest: Substring) -> String? {
        let path = rest.drop { $0 == " " }
        return path.hasPrefix("/") ? String(path) : nil
    }

    static func now() -> ProcessImages {
        ProcessImages(maps: ProcFile.text("/proc/self/maps"), loaded: LoadedImage.now())
    }

    /// Index of the mapping that holds the address. O(log mappings): the kernel lists them in order.
    func index(of address: UInt64) -> Int? {
        Self.last(mappings, from: address) { $0.start }.flatMap { address < mappings[$0].end ? $0 : nil }
    }

    /// Index of the last that starts at or before the address.
    private static func last<Part>(_ parts: [Part], from address: UInt64, start: (Part) -> UInt64) -> Int? {
        var low = 0
        var high = parts.count
        while low < high {
            let middle = (low + high) / 2
            if start(parts[middle]) <= address { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}

/// The functions of an image file that is mapped here.
final class ImageFunctions {
    let buildID: String
    /// Of the symbol tables, at most.
    let symbolBytes: Int
    private let file: ELFFile
    private lazy var symbols = ELFSymbols(file)

    /// Nil: it cannot be read, or it is another file than the loaded one, for it was replaced meanwhile. `symbolBytesMost`: the
    /// names of an image with more are not known.
    init?(path: String, image: LoadedImage, program: String, symbolBytesMost: Int = .max) {
        let readable = path == program ? "/proc/self/exe" : path
        // Whoever shortens the file ends this process also without this: its code is the same file's.
        guard let data = try? RegularFile.mapped(readable), let file = try? ELFFile(data, path: path) else {
            return nil
        }
        guard image.isLoaded(from: file) else { return nil }
        self.file = file
        buildID = file.buildID.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let bytes = ELFSymbols.bytes(file)
        symbolBytes = bytes <= symbolBytesMost ? bytes : 0
    }

    /// The symbol at a place of the file; nil: none is known.
    func symbol(at offset: UInt64) -> String? {
        let loadSegment: UInt32 = 1
        guard symbolBytes > 0,
            let segment = file.segments.first(where: {
                $0.type == loadSegment && $0.offset <= offset && offset - $0.offset < $0.fileSize
            })
        else { return nil }
        return symbols.name(at: offset - segment.offset &+ segment.address)
    }
}
