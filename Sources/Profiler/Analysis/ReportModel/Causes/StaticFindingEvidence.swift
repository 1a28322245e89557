extension Analysis.Verdict {
    /// What a recording shows of a static finding.
    package enum Evidence: Hashable, Sendable {
        /// Findings of this very shape. `title`: of one of them; `signatures`: of all, sorted.
        case confirmed(title: String, signatures: [String], count: Int, bytes: UInt64)
        /// The code ran, and every object of the type died.
        case allDied(type: String, made: UInt64)
        case notExecuted(type: String)
        /// Objects of the type can still be reached at the end.
        case stillLiving(type: String, count: UInt64)
        case neverMade(type: String)
        /// The suspect names no type.
        case withoutType
        case withoutSnapshot
    }
}
