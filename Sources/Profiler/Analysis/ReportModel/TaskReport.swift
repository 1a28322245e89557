import GameprofBasics

/// The tasks of a process that had not ended, by what they wait for: equal ones are one group.
public struct TaskReport: Codable, Hashable, Sendable {
    package static let newestVersion = 1

    public var schema = "gameprof-tasks"
    public var version = Self.newestVersion
    public var executable: String
    public var process: Int?
    /// What ended the process of a core file, and where its threads stood; nil: nothing did, or no core file was read.
    public var crash: Report.Crash?
    public var threads: [Report.ThreadStack]?
    /// Tasks that had not ended.
    public var count = 0
    /// Those among them that nothing can resume.
    public var neverResuming = 0
    /// Tasks that have ended, and whose memory something still holds.
    public var ended = 0
    public var groups: [Group] = []
    /// Actors and executors for which tasks wait, the most tasks first; absent when there is none.
    public var mailboxes: [Mailbox]?
    /// Children that have ended and stay in their groups, the most first; absent when there is none.
    public var finishedChildren: [FinishedChildren]?
    /// Answers why tasks do not go on; absent when it was not asked.
    public var why: [Why]?
    /// Why there is no complete answer; nil: there is.
    public var notMeasured: String?
    public var notes: [String] = []

    package init(executable: String, process: Int? = nil) { (self.executable, self.process) = (executable, process) }

    /// What has to happen before a task goes on.
    public struct State: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, CaseIterable, Sendable {
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
        /// So many tasks wait for each other, and this one for one of them; nil: it waits for no such ring.
        public var ring: Int?

        package init(_ kind: Kind) { self.kind = kind }
    }

    /// A task around others, or the tasks that one group consists of.
    public struct Group: Codable, Hashable, Sendable {
        public var count = 1
        public var state: State
        /// Nothing that could resume them can be reached.
        public var neverResumes = false
        public var cancelled = false
        /// The names of their priorities, the highest first; absent: none was given.
        public var priorities: [String]?
        /// Bytes that each of them alone keeps, added up, with their own memory; absent: not known.
        public var retained: UInt64?
        /// Functions that wait, innermost first.
        public var stack: CallStack
        /// The parents of child tasks, outwards.
        public var parents: [Parent] = []
        /// The function with which they begin, where no function is known that waits.
        public var beginsIn: CallStack.Frame?
        /// The stack that made them; nil: not recorded.
        public var createdBy: CallStack?
        /// When they were made; absent: not recorded.
        public var created: Created?
        /// The names that the program gave them.
        public var names: [String] = []
        /// The runtime's numbers, in ascending order.
        public var ids: [UInt64] = []
        /// Numbers of the threads on which they run.
        public var threads: [Int] = []

        package init(state: State, stack: CallStack) { (self.state, self.stack) = (state, stack) }
    }

    /// How long tasks had been there when they were looked at, in seconds: at most `oldest` and at least `newest`, of one task as well.
    public struct Created: Codable, Hashable, Sendable {
        public var oldest: Double
        public var newest: Double
    }

    public struct Parent: Codable, Hashable, Sendable {
        public var state: State
        public var stack: CallStack

        package init(state: State, stack: CallStack) { (self.state, self.stack) = (state, stack) }
    }

    /// The queues in which tasks wait for actors of one type.
    public struct Mailbox: Codable, Hashable, Sendable {
        /// An actor, or an executor of another kind.
        public var kind: State.Kind
        /// Absent: not known.
        public var type: String?
        /// Tasks in all queues.
        public var waiting: Int
        /// Actors for which tasks wait.
        public var actors: Int
        /// Tasks in the longest queue.
        public var longest: Int

        package init(kind: State.Kind, type: String?, waiting: Int, actors: Int, longest: Int) {
            (self.kind, self.type, self.waiting, self.actors, self.longest) = (kind, type, waiting, actors, longest)
        }
    }

    /// Child tasks that have ended, and whose results the tasks with their groups have not taken.
    public struct FinishedChildren: Codable, Hashable, Sendable {
        public var count: Int
        /// Tasks whose groups keep them.
        public var tasks: Int
        /// Where these tasks wait; absent where that is not known, as while they run.
        public var stack: CallStack?
        /// The stack that made most of the children; absent: not recorded.
        public var createdBy: CallStack?

        package init(count: Int, tasks: Int = 1, stack: CallStack? = nil, createdBy: CallStack? = nil) {
            (self.count, self.tasks, self.stack, self.createdBy) = (count, tasks, stack, createdBy)
        }
    }
}
