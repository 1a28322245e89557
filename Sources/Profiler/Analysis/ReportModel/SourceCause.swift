extension Finding {
    /// A place in the sources that this finding confirms as its cause.
    public struct SourceCause: Codable, Hashable, Sendable {
        public var rule: String
        public var file: String
        public var line: Int
        /// The source line.
        public var source: String
        public var message: String
        public var fix: String
        /// The suggested edit in the form of `diff -u`, where one is safe.
        public var diff: String?
    }
}
