/// A file, read.
public struct SourceFile: Sendable {
    public var path: String
    /// Nested ones and extensions too, each of them once.
    public var types: [TypeDeclaration] = []
    public var aliases: [String: TypeReference] = [:]
    /// Names of aliases that stand inside of a type.
    public var innerAliases: Set<String> = []
    public var globals: [Variable] = []
    public var functions: [Function] = []
    /// Statements outside of any function.
    public var topLevel: [Statement] = []
    /// Reasons of `gameprof:ignore`, by the line that they silence.
    public var ignores: [Int: String] = [:]
    /// Some of it was nested too deeply to look into.
    public var isCutShort = false
    public var lines: LineTable

    public init(path: String, lines: LineTable) {
        self.path = path
        self.lines = lines
    }
}

/// Where the lines of a text begin.
public struct LineTable: Sendable {
    private let bytes: [UInt8]
    private let starts: [Int32]

    /// O(bytes).
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts: [Int32] = [0]
        for (index, byte) in bytes.enumerated() where byte == 0x0A { starts.append(Int32(clamping: index + 1)) }
        self.starts = starts
    }

    public var count: Int { starts.count }

    /// From 1. O(log lines).
    public func line(at offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if Int(starts[middle]) <= offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// From 1, in bytes.
    public func column(at offset: Int) -> Int { offset - Int(starts[line(at: offset) - 1]) + 1 }

    /// The text of a line; from 1. Empty beyond the end.
    public func text(ofLine line: Int) -> String {
        guard line >= 1, line <= starts.count else { return "" }
        let start = Int(starts[line - 1])
        var end = line < starts.count ? Int(starts[line]) - 1 : bytes.count
        if end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
    }

    /// The text between two offsets.
    public func text(from start: Int, to end: Int) -> String {
        guard start >= 0, end >= start, end <= bytes.count else { return "" }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
