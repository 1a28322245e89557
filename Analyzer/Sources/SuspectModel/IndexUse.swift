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
            store: store, files: files + other.files, declaring: Set(declaring + other.declaring).sorted(),
            stale: Set(stale + other.stale).sorted())
    }
}
