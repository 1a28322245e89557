/// What of a trace could not be read. Grows while the trace is being read.
public struct TraceDamage: Hashable, Sendable {
    /// The file ends inside a chunk: it was read up to its last whole record.
    public var isCut = false
    /// Chunks that could not be read at all.
    public var lostChunks = 0
    /// Chunks whose records could be read in part.
    public var brokenChunks = 0
    /// Records whose contents made no sense.
    public var brokenRecords = 0

    /// Nothing is missing.
    public var isNone: Bool { self == TraceDamage() }

    /// One sentence for each thing that is missing.
    public var sentences: [String] {
        var result: [String] = []
        if isCut { result.append("The trace is cut off; it was read up to its last whole record.") }
        if lostChunks > 0 { result.append("\(lostChunks) chunks of the trace are damaged and were left out.") }
        if brokenChunks > 0 { result.append("\(brokenChunks) chunks of the trace are damaged and were read in part.") }
        if brokenRecords > 0 { result.append("\(brokenRecords) damaged records were left out.") }
        return result
    }
}
