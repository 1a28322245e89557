/// What the analyzer found: the JSON that it prints.
public struct StaticFindingList: Codable, Hashable, Sendable {
    public var schema = "gameprof-suspects"
    public var version = 1
    /// By file, line and column.
    public var suspects: [StaticFinding]
    /// Files and lines that were looked at, files that came from the cache.
    public var files: Int
    public var lines: Int
    public var cachedFiles: Int
    /// Sentences: what could not be read, and what was passed over.
    public var problems: [String]
    /// Absent when no build's index was read.
    public var index: IndexUse?

    public init(
        suspects: [StaticFinding] = [], files: Int = 0, lines: Int = 0, cachedFiles: Int = 0, problems: [String] = []
    ) {
        self.suspects = suspects
        self.files = files
        self.lines = lines
        self.cachedFiles = cachedFiles
        self.problems = problems
    }
}
