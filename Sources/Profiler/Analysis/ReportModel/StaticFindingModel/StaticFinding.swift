/// A place in the sources that looks like the cause of a retain cycle, an over-release or growth: suspicion, with a reason
/// and a fix. Plain values: both the analyzer, which writes them, and gameprof, which draws them, use this one type.
public struct StaticFinding: Codable, Hashable, Sendable {
    /// How sure the rule is. The better confidence is the greater.
    public enum Confidence: String, Codable, Sendable, CaseIterable, Comparable {
        case low, medium, high

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    }

    /// Name of the rule: `stored-closure`, `timer`, …
    public var rule: String
    public var confidence: Confidence
    /// As it was given on the command line, or found below what was.
    public var file: String
    /// From 1; columns count UTF-8 bytes.
    public var line: Int
    public var column: Int
    /// The source line, without its indentation.
    public var source: String
    /// One sentence.
    public var message: String
    /// What to change, in a line.
    public var fix: String
    /// What the rule could not know, sentences.
    public var unknowns: [String]
    /// The type whose objects would be lost, without module; empty where there is none.
    public var type: String
    /// The stored property that begins the way round, where there is one.
    public var field: String
    /// The property that in the end keeps the captured object, with its type: `Dialog.buttonHandler`.
    public var holder: String
    /// The function that contains the closure or the call, in the words of a demangled name: `DialogOwner.showDialog()`.
    public var function: String
    /// The same for the same suspect after edits elsewhere: sixteen hex digits.
    public var fingerprint: String
    /// An edit that adds a capture list, where one is safe.
    public var edit: Edit?
    /// Why a comment in the source silences it; absent: it is not silenced.
    public var ignored: String?

    public init(
        rule: String, confidence: Confidence, file: String, line: Int, column: Int, message: String, fix: String
    ) {
        self.rule = rule
        self.confidence = confidence
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.fix = fix
        source = ""
        unknowns = []
        type = ""
        field = ""
        holder = ""
        function = ""
        fingerprint = ""
    }

    /// Pieces of a file to replace, none overlapping, in order.
    public struct Edit: Codable, Hashable, Sendable {
        public struct Piece: Codable, Hashable, Sendable {
            /// UTF-8 offset from the start of the file.
            public var offset: Int
            /// Bytes to take away.
            public var length: Int
            public var text: String

            public init(offset: Int, length: Int, text: String) {
                self.offset = offset
                self.length = length
                self.text = text
            }
        }

        public var pieces: [Piece]
        /// Hash of the whole file that the offsets belong to.
        public var contentHash: String

        public init(pieces: [Piece], contentHash: String = "") {
            self.pieces = pieces
            self.contentHash = contentHash
        }
    }
}
