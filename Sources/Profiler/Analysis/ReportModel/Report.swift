import GameprofBasics

/// What every report draws: text, page and JSON render this one value. `Documentation/report.schema.json` declares its
/// JSON; fields may be added within a version, names and meanings stay.
public struct Report: Codable, Hashable, Sendable {
    /// Of its JSON. Version 1 differs in how stacks are written alone.
    package static let newestVersion = 2

    public var schema = "gameprof-report"
    public var version = newestVersion
    public var target: Target
    public var capture: Capture
    /// What ended the program; absent where no fault or abort() was seen.
    public var crash: Crash?
    /// Where all threads stood, the one that crashed first; absent unless a core file was read.
    public var threads: [ThreadStack]?
    /// Errors first, then warnings, then notes; within them the most bytes first.
    public var findings: [Finding] = []
    /// Why objects live, at the last sound snapshot that was asked; absent when none was.
    public var why: [LiveObjects]?
    /// What grew through the run, the largest growth first; absent when nothing did, or allocations were not recorded.
    public var grew: [Grown]?
    /// What the list leaves out; absent when it has all.
    public var grewOmitted: Int?
    /// The heap at the last sound snapshot; absent when there was none, or memory of the process could not be read.
    public var heap: HeapTotals?
    /// What lives at the last sound snapshot and what holds it; absent when that was not recorded.
    public var liveHeap: LiveHeap?
    /// The heap snapshots in the order of time; absent when there was only the one at the end.
    public var snapshots: [Snapshot]?
    /// Swift tasks that had not ended; absent when there was none but those that ran.
    public var tasks: Tasks?
    /// Absent when allocations were not recorded.
    public var allocations: Allocations?
    /// Absent when time was not recorded.
    public var hotspots: Hotspots?
    /// Absent when retains and releases were not counted.
    public var referenceCounting: ReferenceCounting?
    /// Absent when files were not recorded.
    public var files: Files?
    /// The recorded processes, the one that was asked for first; absent when only that one was to be recorded.
    public var processes: [ProcessRow]?
    /// The recordings that this report joins, by name; absent unless it joins several (`gameprof merge`).
    public var shards: [Shard]?
    /// Intervals that the program measured, the longest total first; absent when it measured none.
    public var probes: [Probe]?
    /// What the program said that happened.
    public var probeEvents: [ProbeEvent]?
    /// Values that the program recorded.
    public var counters: [Counter]?
    /// The program's game loops.
    public var frames: [FrameLoop]?
    /// What was allocated between two marks and lived when the last snapshot was taken; absent without marks.
    public var generations: [Generation]?
    /// Absent: there was none.
    public var memoryWarnings: [MemoryWarning]?
    /// The allocation that was made to fail; absent when none was to.
    public var failedAllocation: FailedAllocation?
    /// The program's debug log, in order of time.
    public var log: [LogLine]?
    /// Memory of the process in the machine's memory, that of libraries and of the recorder included; absent in traces
    /// of an older recorder.
    public var residentMemory: ResidentMemory?
    /// What resident memory is when the program ends, or at the chosen snapshot; absent when it was not recorded.
    public var footprint: Footprint?
    /// Suppressions of the user that matched nothing.
    public var unusedSuppressions: [String] = []
    /// On what it was recorded, by name: `Documentation/report.schema.json` lists the names. What is not known is absent.
    public var environment: [String: String] = [:]

    /// What the page's timeline shows one by one. It is no part of the JSON.
    public var timeline = Timeline()

    enum CodingKeys: String, CodingKey, CaseIterable {
        case schema, version, target, capture, crash, threads, findings, why, grew, grewOmitted, heap, liveHeap
        case snapshots, tasks, allocations, hotspots, referenceCounting, files, processes, shards, probes, probeEvents
        case counters, frames
        case generations, memoryWarnings, failedAllocation, log, residentMemory, footprint, unusedSuppressions
        case environment
    }

    public init(target: Target, capture: Capture) {
        self.target = target
        self.capture = capture
    }

    /// Resident memory over time.
    public struct ResidentMemory: Codable, Hashable, Sendable {
        public var peakBytes: UInt64
        /// In order of time.
        public var points: [Point]

        public struct Point: Codable, Hashable, Sendable {
            /// Since recording began.
            public var seconds: Double
            public var bytes: UInt64
        }
    }

    /// The recorded program.
    public struct Target: Codable, Hashable, Sendable {
        public var executable: String
        /// Without the name it was started under.
        public var arguments: [String]
        /// Absent when the trace ends before the program did.
        public var exit: Exit?
        public var wallSeconds: Double

        public init(executable: String, arguments: [String] = [], exit: Exit? = nil, wallSeconds: Double = 0) {
            self.executable = executable
            self.arguments = arguments
            self.exit = exit
            self.wallSeconds = wallSeconds
        }
    }

    /// How the program ended: one of the two is present.
    public struct Exit: Codable, Hashable, Sendable {
        public var code: Int?
        public var signal: Int?
        /// The kernel ended it because memory ran out; absent otherwise.
        public var outOfMemory: Bool?

        public init(code: Int? = nil, signal: Int? = nil, outOfMemory: Bool? = nil) {
            self.code = code
            self.signal = signal
            self.outOfMemory = outOfMemory
        }
    }

    /// How complete the recording is.
    public struct Capture: Codable, Hashable, Sendable {
        @KnownInstruments public var instruments: [Instrument]
        public var events: UInt64
        /// Events that could not be stored.
        public var dropped: UInt64
        public var truncated: Bool
        /// Sentences: what is missing, and why a conclusion was not drawn.
        public var problems: [String]
        /// Sentences that the reader should know.
        public var notes: [String]

        public init(
            instruments: [Instrument] = [], events: UInt64 = 0, dropped: UInt64 = 0, truncated: Bool = false,
            problems: [String] = [], notes: [String] = []
        ) {
            self.instruments = instruments
            self.events = events
            self.dropped = dropped
            self.truncated = truncated
            self.problems = problems
            self.notes = notes
        }
    }

    /// One heap snapshot.
    public struct Snapshot: Codable, Hashable, Sendable {
        /// 1, 2, 3 …
        public var number: Int
        /// What the asker called it: `exit`, `interval`, `request`, or the program's own name for it.
        public var name: String
        /// Since recording began.
        public var seconds: Double
        public var blocks: UInt64
        public var bytes: UInt64
        /// Blocks that nothing could reach.
        public var unreachableBlocks: UInt64
        public var pauseSeconds: Double
        /// Why no conclusion was drawn from it.
        public var problem: String?
    }

    /// The whole heap when the snapshot was taken.
    public struct HeapTotals: Codable, Hashable, Sendable {
        public var blocks: UInt64
        public var bytes: UInt64
        public var swiftObjects: UInt64
        /// Blocks of findings that are errors, with what they keep alive.
        public var leakedBlocks: UInt64
        public var leakedBytes: UInt64
        /// For how long the program stood still.
        public var pauseSeconds: Double

        public init(
            blocks: UInt64 = 0, bytes: UInt64 = 0, swiftObjects: UInt64 = 0, leakedBlocks: UInt64 = 0,
            leakedBytes: UInt64 = 0, pauseSeconds: Double = 0
        ) {
            self.blocks = blocks
            self.bytes = bytes
            self.swiftObjects = swiftObjects
            self.leakedBlocks = leakedBlocks
            self.leakedBytes = leakedBytes
            self.pauseSeconds = pauseSeconds
        }
    }
}
