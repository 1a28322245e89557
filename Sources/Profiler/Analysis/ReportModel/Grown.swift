extension Report {
    /// What grew through the run, with what is held along with it. It is no finding: an index that is built until the end grows
    /// like a cache without a bound.
    public struct Grown: Codable, Hashable, Sendable {
        /// The type of the object that holds it, or the name of a variable; absent: not known, or several do.
        public var holder: String?
        /// The holder's field.
        public var field: String?
        /// The user's type with the most bytes in it, or another type if there is none.
        public var type: String
        /// Blocks of the type that were allocated and freed in the run, and those that lived at its end.
        public var added: UInt64 = 0
        public var removed: UInt64 = 0
        public var kept: UInt64 = 0
        /// Live bytes at the end, of all types in it.
        public var bytes: UInt64 = 0
        /// The part of the live bytes at the end that these are, from 0 to 1.
        public var share: Double = 0
        /// When the last block of the type was allocated, in seconds since recording began.
        public var lastAddedSeconds: Double = 0
        /// Live bytes at the end of each of equal parts of the run.
        public var curve: [UInt64] = []
        /// The stack that allocated the most bytes of the type; absent: not known.
        public var allocatedBy: CallStack?
    }
}
