import Foundation
import GameprofBasics
import GameprofHeap

/// The executables and libraries of a core file, with what of their files the image has, and its memory.
final class CoreImages: CodeSource {
    private let image: MemoryImage
    /// The mappings in which images begin, by address.
    private let heads: [MemoryImage.Mapping]
    private var images: [LoadedImage??]
    private var last: LoadedImage?

    let generation = 1

    init(_ image: MemoryImage) {
        self.image = image
        // The loader maps a part of the file again where it protects what it has written.
        var seen: Set<String> = []
        heads = image.mappings.filter { mapping in
            mapping.offset == 0 && !mapping.isForeign && image.u32(mapping.start) == 0x464c_457f
                && (mapping.file.isEmpty || seen.insert(mapping.file).inserted)
        }
        images = Array(repeating: nil, count: heads.count)
    }

    func image(at address: UInt, now: UInt64) -> LoadedImage? {
        if let last, last.contains(address) { return last }
        let behind = partition(0..<heads.count) { heads[$0].start > UInt64(address) }
        guard behind > 0, let found = load(behind - 1), found.contains(address) else { return nil }
        last = found
        return found
    }

    func image(called name: String) -> LoadedImage? {
        let index = heads.firstIndex { ($0.file.split(separator: "/").last ?? "").hasPrefix(name) }
        return index.flatMap(load)
    }

    var executable: LoadedImage? {
        let file = image.mappings.first(where: \.isFile)?.file
        return heads.firstIndex { $0.file == file }.flatMap(load)
    }

    func read(at address: UInt64, into room: UnsafeMutableRawBufferPointer) -> Int {
        var done = 0
        while done < room.count, let (bytes, count) = image.piece(at: address &+ UInt64(done)) {
            let part = min(Int(clamping: count), room.count - done)
            room.baseAddress?.advanced(by: done).copyMemory(from: bytes, byteCount: part)
            done += part
        }
        return done
    }

    private func load(_ index: Int) -> LoadedImage? {
        if let known = images[index] { return known }
        let head = heads[index]
        let own = image.mappings.filter { $0.file == head.file && $0.start >= head.start }
        let made = LoadedImage(head: head, openPath: image.places[head.file]) { offset, room in
            // The kernel's own, which has no file, lies in one piece.
            let part =
                head.file.isEmpty ? head : own.first { $0.offset <= offset && offset - $0.offset < $0.end - $0.start }
            guard let part, offset - part.offset < part.end - part.start else { return 0 }
            let start = part.start + (offset - part.offset)
            let count = min(room.count, Int(clamping: part.end - start))
            return self.read(at: start, into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
        }
        images[index] = .some(made)
        return made
    }
}
