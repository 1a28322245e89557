/// What the analyzer found: the JSON that it prints.
public struct StaticFindingList: Codable, Hashable, Sendable {
    public var schema = "gameprof-suspects"
    public var version = 1
    /// By file, line and column.
    public var suspects: [StaticFinding] = []
    /// Files and lines that were looked at, files that came from the cache.
    public var files: Int = 0
    public var lines: Int = 0
    public var cachedFiles: Int = 0
    /// Sentences: what could not be read, and what was passed over.
    public var problems: [String] = []
    /// Absent when no build's index was read.
    public var index: IndexUse?
}
