import Foundation
import GameprofBasics
import GameprofTrace

/// Looks where the user's sources count references by hand: in those that a stack names, else in all of their folders. The names
/// come from the recorded program.
struct CountedByHand {
    private static let (sizeLimit, fileLimit, placeLimit) = (1 << 20, 64, 3)
    /// Lines between what takes the elements out of memory and its deallocation.
    private static let nearBy = 3
    private var files: [String: Finding.CountedByHand] = [:]

    /// Nil: nothing of the kind stands there, or nothing can be read.
    mutating func places(near stack: SymbolicatedStack) -> Finding.CountedByHand? {
        let own = Set(
            stack.frames.lazy.filter { $0.origin == .user }.compactMap(\.file)
                .filter { $0.hasPrefix("/") && $0.hasSuffix(".swift") })
        return places(in: own.sorted()) ?? places(in: beside(own))
    }

    private mutating func places(in paths: [String]) -> Finding.CountedByHand? {
        let found = paths.map { read($0) }
        let (retains, deallocations) = (found.flatMap(\.retains), found.flatMap(\.deallocations))
        let copies = found.flatMap(\.copies)
        let all = Finding.CountedByHand(retains: retains, deallocations: deallocations, copies: copies)
        return all.isEmpty || max(retains.count, deallocations.count, copies.count) > Self.placeLimit ? nil : all
    }

    private func beside(_ files: Set<String>) -> [String] {
        let folders = Set(files.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path })
        return folders.sorted().flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
                .filter { $0.hasSuffix(".swift") }.sorted().prefix(Self.fileLimit).map { "\(folder)/\($0)" }
        }
    }

    private mutating func read(_ path: String) -> Finding.CountedByHand {
        if let known = files[path] { return known }
        var found = Finding.CountedByHand(retains: [], deallocations: [])
        let bytes = RegularFile.contents(path, limit: Self.sizeLimit) ?? Data()
        // The line of the last call that takes elements out of memory.
        var taken = -Self.nearBy - 1
        var deallocates = false
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let text = String(decoding: line, as: UTF8.self).drop { $0 == " " || $0 == "\t" }
            guard !text.hasPrefix("//"), let place = SourceLocation.short(file: path, line: index + 1) else { continue }
            if text.contains("passRetained(") || text.contains(".retain()") { found.retains.append(place) }
            if [".deinitialize(", ".move()", ".moveInitialize("].contains(where: text.contains) { taken = index }
            if text.contains(".deallocate()") {
                deallocates = true
                if index - taken > Self.nearBy { found.deallocations.append(place) }
            }
            if ["memcpy(", "memmove(", ".copyMemory("].contains(where: text.contains) { found.copies.append(place) }
        }
        if !deallocates { found.copies = [] }
        files[path] = found
        return found
    }
}
