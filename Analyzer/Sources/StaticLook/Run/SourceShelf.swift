import Foundation
import SourceModel
import SourceReader

/// Files that were read in this run, for modules that meet them again: as their own, or as what they use.
final class SourceShelf {
    /// Bytes of sources beyond which everything is let go: what is read of them takes several times their size.
    private static let limit = 16 << 20

    private let jobs: Int
    private var files: [String: SourceFile] = [:]
    private var bytes = 0

    init(jobs: Int) { self.jobs = jobs }

    /// What the files say, in their order.
    /// - Parameter isKept: a later module may use them.
    func read(_ texts: [SourceText], isKept: Bool) -> [SourceFile] {
        guard isKept else { return Parallel.map(texts, jobs: jobs) { FileReader.read($0.bytes, path: $0.path) } }
        let missing = texts.filter { files[Self.key($0.path)] == nil }
        let read = Parallel.map(missing, jobs: jobs) { FileReader.read($0.bytes, path: $0.path) }
        if bytes > Self.limit { (files, bytes) = (files.filter { Self.isIn(texts, $0.key) }, 0) }
        for file in read { files[Self.key(file.path)] = file }
        bytes += missing.reduce(0) { $0 + $1.bytes.count }
        return texts.compactMap { text in
            var file = files[Self.key(text.path)]
            file?.path = text.path
            return file
        }
    }

    private static func isIn(_ texts: [SourceText], _ key: String) -> Bool {
        texts.contains { self.key($0.path) == key }
    }

    private static func key(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }
}
