import Foundation

/// What the index of a build had to do with suspects.
public struct IndexUse: Codable, Hashable, Sendable {
    /// Path of the index; of the first, where sources of several packages were looked at.
    public var store: String
    /// Files of which the index knows what the compiler made of them.
    public var files: Int
    /// Files of other modules that were read for what they declare.
    public var declaring: [String]
    /// Files that were written since the build: what the index says of them was left out.
    public var stale: [String]

    public init(store: String, files: Int = 0, declaring: [String] = [], stale: [String] = []) {
        self.store = store
        self.files = files
        self.declaring = declaring
        self.stale = stale
    }

    /// With what another module's look adds.
    public func adding(_ other: IndexUse) -> IndexUse {
        IndexUse(
            store: store, files: files + other.files, declaring: Self.distinct(declaring + other.declaring),
            stale: Self.distinct(stale + other.stale))
    }

    /// Sorted; a file that is named in several ways is named once, in the shortest.
    private static func distinct(_ paths: [String]) -> [String] {
        let byFile = Dictionary(grouping: paths) { URL(fileURLWithPath: $0).standardizedFileURL.path }
        return byFile.values.compactMap { $0.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) } }.sorted()
    }
}
