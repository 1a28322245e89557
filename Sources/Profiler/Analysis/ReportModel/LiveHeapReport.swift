extension Report {
    /// What lives at a heap snapshot, and what holds it.
    public struct LiveHeap: Codable, Hashable, Sendable {
        /// Number and name of the snapshot.
        public var snapshot: Int
        public var name: String
        /// When it was taken, in seconds since recording began; absent in a report of an older version.
        public var seconds: Double?
        /// How near it is to the most live bytes of the run; absent where it was not taken for that.
        public var peak: Peak?
        /// Blocks that a root reaches, and their requested bytes.
        public var objects: Int
        public var bytes: UInt64
        /// The other live blocks; absent: there are none, or the report is of an older version.
        public var unheld: Unheld?
        /// The first heap of the run, where it has more than one: what `firstRetainedBytes` of the types are of.
        public var first: First?
        /// By type, the most retained bytes first; `typesOmitted` more were left out.
        public var types: [TypeRow] = []
        public var typesOmitted = 0
        /// What would be freed with each object, from the roots down, equal types together; the most retained bytes first.
        public var holders: [Holder] = []
        /// The types that were asked for; absent when none was.
        public var details: [Detail]?
    }
}

extension Report.LiveHeap {
    /// The most live bytes of the run, beside those of the heap that is shown.
    public struct Peak: Codable, Hashable, Sendable {
        /// Of all blocks at the snapshot, whether a root reaches them or not.
        public var liveBytes: UInt64
        /// The most of the run, and when that was.
        public var bytes: UInt64
        public var seconds: Double
    }

    /// Live blocks that no root and no reference from a held object holds: they live, and are in no list of what is held.
    public struct Unheld: Codable, Hashable, Sendable {
        public var blocks = 0
        public var bytes: UInt64 = 0
        /// Those of them that unowned references of held objects name: deinitialised objects whose memory these keep. Nothing
        /// leads to the others.
        public var unowned = 0
    }

    /// An earlier heap of the run.
    public struct First: Codable, Hashable, Sendable {
        /// Number and name of the snapshot.
        public var snapshot: Int
        public var name: String
        public var objects: Int
        public var bytes: UInt64
    }

    /// All living objects of a type.
    public struct TypeRow: Codable, Hashable, Sendable {
        public var type: String
        public var count: Int
        /// Of the objects alone, in bytes.
        public var shallowBytes: UInt64
        /// What would be freed with them, each object by itself, in bytes; objects that another one of the type retains
        /// are counted with that.
        public var retainedBytes: UInt64
        /// The same of the run's first heap; absent where that has none, or is the only one.
        public var firstRetainedBytes: UInt64?
        /// The stack that made the most of them, by bytes.
        public var allocatedBy: CallStack?
        /// All about them, of the types that retain the most; absent of the others.
        public var detail: Detail?

        public init(type: String, count: Int, shallowBytes: UInt64, retainedBytes: UInt64) {
            self.type = type
            self.count = count
            self.shallowBytes = shallowBytes
            self.retainedBytes = retainedBytes
        }
    }

    /// The objects of a type that was asked for: what refers to them, what they refer to, what they retain and who made
    /// that.
    public struct Detail: Codable, Hashable, Sendable {
        /// As it was asked for: a type or a pattern.
        public var asked: String
        public var type: String
        public var count: Int = 0
        public var shallowBytes: UInt64 = 0
        /// What would be freed with all of them, in bytes.
        public var retainedBytes: UInt64 = 0
        /// The most references first; `incomingOmitted` more rows were left out.
        public var incoming: [ReferenceRow] = []
        public var incomingOmitted = 0
        /// The most references first; `outgoingOmitted` more rows were left out.
        public var outgoing: [ReferenceRow] = []
        public var outgoingOmitted = 0
        /// The paths from roots, equal ones together, the most objects first; at most ten.
        public var ways: [HeldBy] = []
        /// Of how many of the objects the paths were looked at; absent: of all.
        public var wayObjects: Int?
        /// What they retain, by the stack that allocated it, the most bytes first; `retainedOmitted` more were left out.
        public var retained: [RetainedRow] = []
        public var retainedOmitted = 0
    }

    /// Equal references between objects of the asked type and another.
    public struct ReferenceRow: Codable, Hashable, Sendable {
        /// The type at the other end, or the name of a root.
        public var type: String
        /// The path of fields from the object that refers: `cards[…]`; absent where memory without a type does.
        public var field: String?
        /// `strong`, `unowned`, `weak`, `unmanaged`, or `conservative` for a word of unknown meaning.
        public var ownership: String
        /// References.
        public var count: Int = 0
        /// Objects of the asked type that have such a reference.
        public var objects: Int = 0
    }

    /// What one stack allocated of what is retained.
    public struct RetainedRow: Codable, Hashable, Sendable {
        /// The type that has the most bytes of it.
        public var type: String
        public var count: Int
        public var bytes: UInt64
        public var allocatedBy: CallStack?
    }

    /// Objects of one type that one object (or all objects of the row above) alone keeps alive.
    public struct Holder: Codable, Hashable, Sendable {
        public var type: String
        /// How the row above refers to them: a path of fields; absent where several references lead there.
        public var field: String?
        /// For the topmost rows: what keeps them, where that is one root.
        public var root: String?
        public var count: Int
        /// Of the objects with their buffers, in bytes. A collection of a hundredth of the heap has a row of its own.
        public var ownBytes: UInt64
        /// What would be freed with them, in bytes.
        public var retainedBytes: UInt64
        /// The most retained bytes first; `omitted` more were left out.
        public var children: [Holder] = []
        public var omitted = 0
    }
}
