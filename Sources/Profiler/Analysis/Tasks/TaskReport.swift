import GameprofBasics

/// The tasks of a process that had not ended, by what they wait for: equal ones are one group.
public struct TaskReport: Codable, Hashable, Sendable {
    public static let newestVersion = 1

    public var schema = "gameprof-tasks"
    public var version = Self.newestVersion
    public var executable: String
    public var process: Int?
    /// Tasks that had not ended.
    public var count = 0
    /// Those among them that nothing can resume.
    public var neverResuming = 0
    /// Tasks that have ended, and whose memory something still holds.
    public var ended = 0
    public var groups: [Group] = []
    /// Why there is no complete answer; nil: there is.
    public var notMeasured: String?
    public var notes: [String] = []

    public init(executable: String, process: Int? = nil) { (self.executable, self.process) = (executable, process) }

    /// What has to happen before a task goes on.
    public struct State: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, Sendable {
            case running, ready, actor, executor, task, asyncLet, taskGroup, continuation, sleep, stream, unknown
        }

        public enum Holder: String, Codable, Sendable {
            case property, variable, nobody, unknown
        }

        public var kind: Kind
        /// Who can resume the continuation of a task that waits for one.
        public var holder: Holder?
        /// The actor's or executor's, or that of the object whose property holds the continuation.
        public var type: String?
        /// The property or variable that holds the continuation.
        public var name: String?
        /// How many children of a group have not ended.
        public var unfinished: Int?
        /// What the task waits for for which this one waits: one, or none where that is not known.
        public var awaited: [State]?

        public init(_ kind: Kind) { self.kind = kind }
    }

    /// A task around others, or the tasks that one group consists of.
    public struct Group: Codable, Hashable, Sendable {
        public var count = 1
        public var state: State
        /// Nothing that could resume them can be reached.
        public var neverResumes = false
        public var cancelled = false
        /// Functions that wait, innermost first.
        public var stack: CallStack
        /// The parents of child tasks, outwards.
        public var parents: [Parent] = []
        /// The function with which they begin, where no function is known that waits.
        public var beginsIn: CallStack.Frame?
        /// The stack that made them; nil: not recorded.
        public var createdBy: CallStack?
        /// The names that the program gave them.
        public var names: [String] = []
        /// The runtime's numbers, in ascending order.
        public var ids: [UInt64] = []
        /// Numbers of the threads on which they run.
        public var threads: [Int] = []

        public init(state: State, stack: CallStack) { (self.state, self.stack) = (state, stack) }
    }

    public struct Parent: Codable, Hashable, Sendable {
        public var state: State
        public var stack: CallStack

        public init(state: State, stack: CallStack) { (self.state, self.stack) = (state, stack) }
    }
}
