import Foundation
import GameprofBasics

/// Memory that an image lacks because it is a file's, unchanged: read from that file.
struct MappedFiles {
    private let image: MemoryImage
    /// The build ids of executables and libraries, by path, where the image itself does not hold them.
    private let buildIDs: [String: [UInt8]]
    /// Where files are looked for that are not in their places.
    private let folders: [String]
    /// When they were mapped, in nanoseconds since 1970: a file without a build id that was written later is another one.
    private let mappedAt: UInt64
    /// Executables and libraries that were not found.
    private(set) var missing: [String] = []

    init(
        _ image: MemoryImage, buildIDs: [String: [UInt8]] = [:], folders: [String] = [], mappedAt: UInt64 = .max
    ) {
        (self.image, self.buildIDs, self.folders, self.mappedAt) = (image, buildIDs, folders, mappedAt)
    }

    /// - Parameters:
    ///   - root: where the process's files are.
    ///   - program: takes the place of the executable's file.
    ///   - copies: by where mappings of files begin, pages that the process has.
    ///   - rest: what an executable or a library has that cannot be opened any more; nil: nobody knows.
    mutating func add(
        root: String = "", program: String? = nil, copies: [UInt64: MemoryCopy] = [:],
        rest: (MemoryImage.Mapping) -> MemoryCopy? = { _ in nil }
    ) {
        let mappings = image.mappings.filter(\.isOfFile)
        var known: [String: FileBytes?] = [:]
        var missing: Set<String> = []
        let executable = mappings.first?.file
        let code = Set(mappings.lazy.filter(\.isExecutable).map(\.file))
        for mapping in mappings where !isComplete(mapping) {
            let copy = copies[mapping.start]
            // What the program has not written to its own memory names none of that, and the file may be one that it serves itself.
            guard code.contains(mapping.file) || !mapping.isPrivate else {
                copy?.add(to: image)
                continue
            }
            let path = mapping.file == executable ? program ?? root + mapping.file : root + mapping.file
            let file = known[path] ?? find(path, mapping.file, mappings)
            known[path] = .some(file)
            guard let file else {
                let rest = code.contains(mapping.file) ? rest(mapping) : nil
                rest?.add(to: image)
                copy?.add(to: image)
                if rest == nil, !mapping.isWritable { missing.insert(mapping.file) }
                continue
            }
            image.places[mapping.file] = file.path
            let bytes = file.range(mapping.offset, count: mapping.end - mapping.start)
            // What is written and what is not may be parts of one value.
            copy?.fill(from: bytes)
            copy?.add(to: image)
            image.add(
                bytes, at: mapping.start, owner: file,
                untouched: file.holes(mapping.offset, count: UInt64(bytes.count), at: mapping.start))
        }
        self.missing = missing.filter(ELFImages.isELF).sorted()
        for path in self.missing {
            let remedy =
                path == executable ? "name the executable with --program" : "copy it from where the process ran"
            image.problems.append("\(path) is missing or has changed since it was mapped: \(remedy).")
        }
    }

    private func isComplete(_ mapping: MemoryImage.Mapping) -> Bool {
        image.has(mapping.start, count: mapping.end - mapping.start)
    }

    private func find(_ path: String, _ name: String, _ mappings: [MemoryImage.Mapping]) -> FileBytes? {
        let file = name.split(separator: "/").last ?? ""
        let others = folders.flatMap { ["\($0)/\(file)", $0 + name] }
        return ([path] + others).lazy.compactMap { open($0, name, mappings) }.first
    }

    /// Nil: it is not there, or another than the one that was mapped.
    private func open(_ path: String, _ name: String, _ mappings: [MemoryImage.Mapping]) -> FileBytes? {
        guard let file = try? FileBytes(path: path), file.bytes.count > 0 else { return nil }
        let head = mappings.first { $0.file == name && $0.offset == 0 }
        guard let loaded = head.flatMap({ ELFImages.buildID(image, at: $0.start) }) ?? buildIDs[name], !loaded.isEmpty
        else { return isWrittenLater(path) ? nil : file }
        let own = (try? ELFFile(path: path))?.buildID ?? []
        return own == loaded ? file : nil
    }

    private func isWrittenLater(_ path: String) -> Bool {
        var status = stat()
        guard mappedAt < .max, stat(path, &status) == 0 else { return false }
        let written = UInt64(clamping: status.st_mtim.tv_sec) * 1_000_000_000 + UInt64(clamping: status.st_mtim.tv_nsec)
        return written > mappedAt
    }
}
