import GameprofBasics
import GameprofTrace

/// Where the time of a recording went: the one model that text, page, JSON, comparison and exports render. Stacks are a
/// tree of named frames; a sample is a moment of a thread at a node of it.
public struct Profile: Sendable {
    /// A function, by its index in `functions`.
    public struct FunctionID: Hashable, Sendable, Comparable {
        public let index: Int
        public init(_ index: Int) { self.index = index }
        public static func < (left: Self, right: Self) -> Bool { left.index < right.index }
    }

    /// A place in a function, by its index in `frames`.
    public struct FrameID: Hashable, Sendable {
        public let index: Int
        public init(_ index: Int) { self.index = index }
    }

    /// A node of the call tree, by its index in `nodes`. Parents come before their children.
    public struct NodeID: Hashable, Sendable, Comparable {
        public let index: Int
        public init(_ index: Int) { self.index = index }
        /// The node above all outermost frames.
        public static let root = NodeID(0)
        public static func < (left: Self, right: Self) -> Bool { left.index < right.index }
    }

    /// A function with the names of the source.
    public struct Function: Hashable, Sendable {
        /// Demangled and simplified: `Puzzle.tilt(to:)`.
        public var name: String
        /// Swift module, or the image's file name where it has none.
        public var module: String = ""
        /// File name of the image.
        public var image: String = ""
        /// Path of its source file as the debug information names it.
        public var file: String?
        public var origin: FrameOrigin = .user

        /// The symbol before `main` counts as the user's, but is in no source.
        var isProgramStart: Bool { ["_start", "thread_start"].contains(name) }
    }

    /// A place in a function: where it was interrupted, or where it called the next.
    public struct Frame: Hashable, Sendable {
        public var function: FunctionID
        /// In the function's file, from 1; nil: not known.
        public var line: Int?
        /// The function was inlined into its caller at this place.
        public var isInlined: Bool = false
    }

    /// A frame below its caller's node. The root has no frame.
    public struct Node: Hashable, Sendable {
        public var parent: NodeID
        public var frame: FrameID
    }

    /// A thread that was sampled.
    public struct Thread: Hashable, Sendable {
        public var id: ThreadID
        /// The name that it gave itself, else `thread 4711`.
        public var name: String
        /// User and system time in nanoseconds, by its CPU clock where the trace has it, else by its samples.
        public var cpu: UInt64 = 0
        /// Of that, in the kernel.
        public var system: UInt64 = 0
        /// Samples that came at a moment when none could be taken.
        public var lost: UInt64 = 0
    }

    /// One or more samples in a row of the same thread at the same node.
    public struct Sample: Hashable, Sendable {
        /// Of the first of them, in nanoseconds since recording began.
        public var time: UInt64
        /// Of the last of them; the others lie between at equal distances.
        public var end: UInt64
        /// Index in `threads`.
        public var thread: Int
        /// The innermost frame.
        public var node: NodeID
        /// Nanoseconds that they stand for: of CPU time, or of waiting.
        public var weight: UInt64
        /// How many there are.
        public var count: Int
        public var kind: SampleRecord.Kind
        /// Index in `works`; nil: not known.
        public var work: Int?
        /// Index in `threads` of the one that held the lock for which it waits; nil: it waits for none, or that is not known.
        public var holder: Int?

        public init(
            time: UInt64, end: UInt64? = nil, thread: Int, node: NodeID, weight: UInt64, count: Int = 1,
            kind: SampleRecord.Kind = .computing, work: Int? = nil
        ) {
            self.time = time
            self.end = end ?? time
            self.thread = thread
            self.node = node
            self.weight = weight
            self.count = count
            self.kind = kind
            self.work = work
        }

        /// When each of them was taken.
        public var times: some Sequence<UInt64> {
            let (start, span, steps) = (time, end - time, UInt64(max(count - 1, 1)))
            return (0..<UInt64(count)).lazy.map { start + span * $0 / steps }
        }
    }

    /// What weights are.
    public typealias Unit = ComparisonReport.Unit

    public internal(set) var unit = Unit.nanoseconds
    /// Bytes are those that are live at the end, not all that were allocated.
    public internal(set) var isLive = false

    public internal(set) var functions: [Function] = []
    public internal(set) var frames: [Frame] = []
    /// The first is the root.
    public internal(set) var nodes: [Node] = [Node(parent: .root, frame: FrameID(-1))]
    /// Those with the most CPU time first.
    public internal(set) var threads: [Thread] = []
    /// Queues and tasks that samples were taken at.
    public internal(set) var works: [WorkRecord] = []
    /// In order of time.
    public internal(set) var samples: [Sample] = []
    /// Nanoseconds of CPU time between two samples of a thread.
    public internal(set) var period: UInt64 = 0
    /// Nanoseconds between two looks at waiting threads; 0: they were not looked at.
    public internal(set) var waitPeriod: UInt64 = 0
    /// How samples were taken, and why so; empty: the trace does not say.
    public internal(set) var method = ""
    /// File name of the program.
    public internal(set) var program = ""
    /// What a reader of the figures must know: that they are estimates, and how sure.
    public internal(set) var remarks: [String] = []
    /// Program and arguments, for titles.
    public internal(set) var title = ""
    /// Wall clock when recording began, in nanoseconds since 1970.
    public internal(set) var startUnixNanoseconds: UInt64 = 0
    /// Nanoseconds between the start of recording and its end.
    public internal(set) var wall: UInt64 = 0

    /// The probes one by one, for viewers of timelines.
    public private(set) var timeline = ProbeTimeline()

    public init() {}

    /// Adds probes, and the threads that have no samples.
    public mutating func add(_ timeline: ProbeTimeline, threadNames: [ThreadID: String]) {
        self.timeline = timeline
        let known = Set(threads.map(\.id))
        for id in timeline.threads.subtracting(known).sorted() {
            threads.append(Thread(id: id, name: threadNames[id].map(ThreadNames.readable) ?? "thread \(id)"))
        }
    }

    /// The frame of a node; nil for the root.
    public func frame(of node: NodeID) -> Frame? { node == .root ? nil : frames[nodes[node.index].frame.index] }

    /// The function of a node; nil for the root.
    public func function(of node: NodeID) -> Function? { frame(of: node).map { functions[$0.function.index] } }

    /// The nodes from `node` to its outermost caller, the root left out.
    public func path(from node: NodeID) -> [NodeID] {
        var path: [NodeID] = []
        var next = node
        while next != .root {
            path.append(next)
            next = nodes[next.index].parent
        }
        return path
    }

    /// The same with the samples of one kind alone.
    public func only(_ kind: SampleRecord.Kind) -> Profile {
        var profile = self
        profile.samples.removeAll { $0.kind != kind }
        return profile
    }

    /// How many samples of computing threads there are.
    public var sampleCount: Int { samples.reduce(0) { $0 + ($1.kind == .computing ? $1.count : 0) } }

    /// User and system time of all threads, in nanoseconds.
    public var cpu: UInt64 { threads.reduce(0) { $0 &+ $1.cpu } }
}
