extension Report {
    /// What the threads did and what the program measured, one by one: what the page's timeline shows; no part of the JSON.
    /// Times are nanoseconds since recording began.
    public struct Timeline: Hashable, Sendable {
        public struct Span: Hashable, Sendable {
            public enum Kind: UInt8, Sendable {
                case computing, waiting, interval
                /// To run, without a processor.
                case ready
            }

            public var start: UInt64
            public var end: UInt64
            /// Index in `doings`.
            public var doing: Int
            public var kind: Kind
        }

        /// What was done.
        public struct Doing: Hashable, Sendable {
            /// The user's innermost function, else the library's; of an interval its name; empty: it is not known.
            public var name: String
            /// `lock`, `sleep` …, `processor`; nil: it did not wait, or was a worker without work.
            public var waitsFor: String?
            /// Who held the lock, as far as that is known.
            public var holder: String?
            public var holderThread: String?
        }

        public struct Track: Hashable, Sendable {
            public enum Kind: String, Sendable {
                /// The first row is what the thread did, where samples say it; the others are its intervals, nested.
                case thread
                /// A queue or a task: where it computed.
                case work
                /// Intervals that may end on another thread than they began on.
                case spans
            }

            public var kind: Kind
            public var name: String
            /// Those of a row are in order of time and do not overlap.
            public var rows: [[Span]]
        }

        /// The frames of a loop.
        public struct Loop: Hashable, Sendable {
            public struct Frame: Hashable, Sendable {
                public var start: UInt64
                public var length: UInt64
                /// Without waiting for the screen or for a processor.
                public var work: UInt64
                /// The least that its thread waited for a processor.
                public var processor: UInt64
                public var allocations: UInt64
                public var bytes: UInt64
                /// Index in `tracks`; nil: its thread has no track.
                public var track: Int?
            }

            public var name: String
            /// In order of time: the first is frame 1.
            public var frames: [Frame]
            /// Nanoseconds that a frame may take.
            public var budget: UInt64
        }

        public var doings: [Doing] = []
        /// The main thread first, then the busiest.
        public var tracks: [Track] = []
        public var loops: [Loop] = []
        /// Between two looks at waiting threads: each stands for half of it before and after.
        public var waitPeriod: UInt64 = 0
        /// Intervals beyond a million, which are not here.
        public var omitted: UInt64 = 0

        public var isEmpty: Bool { tracks.isEmpty && loops.isEmpty }

        /// It shows what threads did.
        package var hasStates: Bool {
            tracks.contains { $0.kind == .thread && $0.rows.first?.isEmpty == false }
        }

        public init() {}
    }
}
