/// How the strong count of one object changed, as far as it was seen (`--retains TYPE`).
public struct CountHistory: Codable, Hashable, Sendable {
    /// What happened to the count.
    public enum Kind: String, Codable, Sendable {
        case allocated
        case retain
        case release
        case deallocated
        /// The count was another than the change before had left: the runtime changed it out of sight.
        case unseen
    }

    public struct Change: Codable, Hashable, Sendable {
        public var kind: Kind
        /// Strong count after it.
        public var strong: Int
        /// How many equal changes in a row these are, nil: one.
        public var times: Int?
        /// Seconds since recording began.
        public var seconds: Double
        /// A release that had no retain of its own, or a retain that was never released.
        public var suspect: Bool = false
        public var by: CallStack?
    }

    /// In order of time. Retains and releases that balance each other in one function are left out of long histories.
    public var changes: [Change]
    /// How many changes are left out.
    public var omitted: Int = 0
    /// What it shows, in a sentence.
    public var conclusion: String = ""
    /// True: a second run of the program recorded it, in which the same use was found (`--explain`).
    public var secondRun: Bool?
}
