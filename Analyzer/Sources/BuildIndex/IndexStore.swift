import CIndexStore
import Foundation

/// The index that one build left. A damaged file in it costs what that file says, and nothing else.
public final class IndexStore {
    /// Processes that may come to a bad end before the index is given up.
    private static let crashLimit = 8
    /// Seconds without a byte after which a file is taken for damaged.
    private static let patience = 5.0
    /// Bytes of answers that are held at once.
    private static let batch = 256

    public let path: String
    private let library: IndexLibrary
    private var crashes = 0
    /// Files of the index that could not be read.
    public private(set) var damaged = 0

    public init(path: String, library: IndexLibrary) {
        self.path = path
        self.library = library
    }

    /// Every compilation that the index knows. Nil when they cannot be listed. Some 50 µs each.
    public func units() -> [IndexUnit]? {
        guard let answer = ask([(GP_INDEX_UNITS, "")]) else { return nil }
        guard answer.isWhole else {
            damaged += 1
            return nil
        }
        damaged += answer.failed.count
        return answer.units
    }

    /// What each of the records says, as far as they can be read.
    public func records(_ names: [String], withOccurrences: Bool) -> [String: IndexRecord] {
        var result: [String: IndexRecord] = [:]
        var rest = names
        while !rest.isEmpty, crashes < Self.crashLimit {
            let part = Array(rest.prefix(Self.batch))
            let question = withOccurrences ? GP_INDEX_OCCURRENCES : GP_INDEX_SYMBOLS
            guard let answer = ask(part.map { (question, $0) }) else { break }
            for (number, record) in answer.records where part.indices.contains(number) { result[part[number]] = record }
            damaged += answer.failed.count
            if answer.isWhole {
                rest.removeFirst(part.count)
            } else {
                damaged += 1
                rest.removeFirst(min(answer.begun + 1, part.count))
            }
        }
        return result
    }

    private func ask(_ requests: [(question: gp_index_question, name: String)]) -> IndexAnswer? {
        guard let answer = library.ask(requests, of: path, patience: Self.patience) else { return nil }
        let read = IndexAnswer(answer.bytes)
        if !read.isWhole { crashes += answer.isStuck ? 2 : 1 }
        return read
    }
}
