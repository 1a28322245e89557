/// A task that had not ended when its process was looked at, as the memory of the process describes it.
public struct TaskFacts: Hashable, Sendable {
    /// What has to happen before the task goes on.
    public enum Status: Hashable, Sendable {
        /// It runs; nil: the thread is not known.
        case running(thread: ThreadID?)
        /// It may go on as soon as a thread takes it.
        case ready
        /// It is in the queue of an actor or another executor, an object of this type; empty: the type is not known.
        case executor(type: String, address: UInt64, isActor: Bool)
        /// Another task has to end: its position in the list; nil: it is not in it.
        case task(Int?)
        /// A child of the group has to end, of as many.
        case group(unfinished: Int)
        case continuation(Holder)
        /// The memory does not say it.
        case unknown

        /// Address of the variable that holds what it waits for; nil: none does.
        var variable: UInt64? {
            switch self {
            case .continuation(.variable(let address, _)): address
            case .executor(type: "", let address, _): address
            default: nil
            }
        }
    }

    /// Who can resume a continuation.
    public enum Holder: Hashable, Sendable {
        /// A stored property of an object of this type.
        case property(type: String, name: String)
        /// A global variable with this address. It may hold the task instead where `isSure` is not set.
        case variable(address: UInt64, isSure: Bool)
        /// No word of the process names it beside the task's own, those of its relatives, and handles of the task.
        case nobody
        case unknown
    }

    /// The runtime's number of the task.
    public var id: UInt64
    /// Address of the block in which it lies; 0: not known.
    public var address: UInt64 = 0
    /// Address of the block that names it as the continuation for which it waits; 0: none is known.
    public var continuation: UInt64 = 0
    /// Position of the task that runs on the executor in whose queue it is; nil: not known.
    public var occupant: Int?
    /// Between which times it was made, in nanoseconds since recording began; nil: not recorded, or not looked for. No record of a
    /// task has it.
    public var born: ClosedRange<UInt64>?
    public var status: Status
    /// As the program called it; nil: it did not.
    public var name: String?
    public var isCancelled = false
    /// `TaskPriority`; 0: none was given.
    public var priority: UInt8 = 0
    /// Bytes of the blocks that nothing but this task keeps, its own memory among them. 0: not known, or it has no block of its own.
    public var keptBytes: UInt64 = 0
    /// Made by `async let`.
    public var isAsyncLet = false
    /// Position of the task whose child it is; nil: it is no child, or the parent is not known.
    public var parent: Int?
    /// Code that goes on when what the task waits for has come, then that of the awaiting callers, outwards: exact addresses.
    public var resume: [UInt64] = []
    /// Code with which it began, then that of closures that were given to that: exact addresses. Of tasks that run or have not begun.
    public var begin: [UInt64] = []
    /// The chain of callers goes on, or makes no sense behind the last one.
    public var isCutShort = false
    /// The stack that made it. None: not recorded.
    public var allocation = StackID.none
    /// Nothing that could let it go on can reach it.
    public var neverResumes = false
    /// Children in its task groups that have ended, and whose results nobody has taken.
    public var finishedChildren = 0
    /// The stack that made the most of these. None: not recorded.
    public var finishedStack = StackID.none

    public init(id: UInt64, status: Status = .unknown) { (self.id, self.status) = (id, status) }
}

/// All tasks of a process that had not ended.
public struct TaskList: Hashable, Sendable {
    public var tasks: [TaskFacts] = []
    /// Tasks that have ended, and whose memory something still holds.
    public var ended = 0
    /// There are tasks, and the heap is so large that they were not looked at.
    public var isOmitted = false

    public init() {}
}
