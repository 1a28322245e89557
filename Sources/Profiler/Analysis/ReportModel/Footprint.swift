extension Report {
    /// What the resident memory of the process is, at one snapshot. `parts` add up to `residentBytes`.
    public struct Footprint: Codable, Hashable, Sendable {
        /// Number of the snapshot, and its time since recording began.
        public var snapshot: Int
        public var seconds: Double
        /// As `/proc/PID/smaps_rollup` counts it, the recorder's memory included.
        public var residentBytes: UInt64
        /// Bytes that all mappings take, resident or not; absent in traces of an older recorder.
        public var addressSpaceBytes: UInt64?
        public var limits: Limits?
        /// The most resident bytes first; absent: no stack is known.
        public var threads: [ThreadRow]?
        /// What `threads` leaves out; absent when it has all.
        public var threadsOmitted: Int?
        /// The largest first; those without a byte are left out.
        public var parts: [Part]
        /// Those of malloc with resident memory, the largest first.
        public var arenas: [Arena] = []
        /// What keeps pages that are mostly free, the most pages first.
        public var pinnedBy: [Pinned] = []
        /// What `pinnedBy` leaves out; absent when it has all.
        public var pinnedByOmitted: Int?
        /// Collections with unused capacity of 64 KiB or more, the most bytes first; absent when there is none.
        public var unused: [Unused]?
        /// Large blocks of which 1 MB or more by type and stack is not resident, the most bytes first; absent when there is none.
        public var untouched: [Unused]?
        /// The largest share of the program's own memory.
        public var cause: Cause = .live
        /// What it is, and what can be done: a sentence each. No remedy: nothing is unusual.
        public var summary = ""
        public var remedy: String?
        /// The parts at each snapshot, in order of time; absent when there was one.
        public var history: [Moment]?

        public enum Kind: String, Codable, CaseIterable, Sendable {
            /// Blocks of malloc that are in use, with their headers and padding.
            case live
            case allocatorFree = "allocator-free"
            case stacks
            /// The program and its libraries.
            case images
            /// Other mapped files.
            case files
            case anonymous
            /// The memory of the recorder, which an unrecorded run does not have.
            case recorder
            case kernel
        }

        public enum Cause: String, Codable, Sendable {
            case live
            /// Free in malloc, given back by `malloc_trim`.
            case trimmable
            /// Free in malloc, on pages with blocks that are in use.
            case pinned
            case stacks, images, files, anonymous
        }

        public struct Part: Codable, Hashable, Sendable {
            public var kind: Kind
            public var bytes: UInt64
            /// Of these: what the kernel can drop at once, and what it cannot.
            public var clean: UInt64
            public var dirty: UInt64
            /// What it consists of, the largest first; a part of it.
            public var largest: [Portion]

            public init(kind: Kind, bytes: UInt64, dirty: UInt64, largest: [Portion] = []) {
                self.kind = kind
                self.bytes = bytes
                self.dirty = min(dirty, bytes)
                clean = bytes - self.dirty
                self.largest = largest
            }
        }

        /// What limits the memory of the process, as it was when the recording began. Bytes; absent: not limited.
        public struct Limits: Codable, Hashable, Sendable {
            /// `ulimit -v` and `ulimit -d`.
            public var addressSpace: UInt64?
            public var data: UInt64?
            /// `memory.max` and `memory.high` of its cgroup, or of one above that.
            public var group: UInt64?
            public var groupHigh: UInt64?
            /// `vm.overcommit_memory`: 0 heuristic, 1 always, 2 never; absent: not known.
            public var overcommit: Int?

            public init() {}
        }

        /// Stacks of threads that have one name and were made by one stack.
        public struct ThreadRow: Codable, Hashable, Sendable {
            public var name: String
            public var count: Int
            /// Bytes that their stacks take in the address space, and in memory.
            public var stackBytes: UInt64
            public var residentBytes: UInt64
            /// Absent: not known.
            public var createdBy: CallStack?
        }

        public struct Portion: Codable, Hashable, Sendable {
            /// A thread, a file, who mapped it, or a use of malloc's free memory.
            public var name: String
            public var count: Int
            public var bytes: UInt64
        }

        /// Resident bytes of an arena.
        public struct Arena: Codable, Hashable, Sendable {
            /// 0: the main one.
            public var number: Int
            /// Stretches of memory that it has.
            public var heaps: Int = 0
            public var bytes: UInt64 = 0
            public var live: UInt64 = 0
            /// Free on pages without a block in use, and on pages with one.
            public var trimmable: UInt64 = 0
            public var pinned: UInt64 = 0
            /// The free end of its heaps.
            public var top: UInt64 = 0
            /// Free in thread caches and fast bins.
            public var cached: UInt64 = 0
        }

        /// Pages that are more than half free and most of whose blocks are of one type and allocation stack.
        public struct Pinned: Codable, Hashable, Sendable {
            public var type: String
            public var pages: UInt64
            /// In these pages.
            public var freeBytes: UInt64
            public var allocatedBy: CallStack?
        }

        public struct Unused: Codable, Hashable, Sendable {
            public var type: String
            public var count: UInt64
            /// Resident, of capacity that no element uses; of `untouched`: not resident.
            public var bytes: UInt64
            public var allocatedBy: CallStack?
        }

        public struct Moment: Codable, Hashable, Sendable {
            public var seconds: Double
            public var residentBytes: UInt64
            /// By the name of its kind.
            public var parts: [String: UInt64]
        }

        public func bytes(of kind: Kind) -> UInt64 { parts.first { $0.kind == kind }?.bytes ?? 0 }

        /// Without the recorder's memory.
        public var programBytes: UInt64 { residentBytes - min(residentBytes, bytes(of: .recorder)) }
    }
}
