import GameprofBasics

/// The tasks of a process that had not ended, by what they wait for: equal ones are one group.
package struct TaskReport: Codable, Hashable, Sendable {
    package static let newestVersion = 1

    package var schema = "gameprof-tasks"
    package var version = Self.newestVersion
    package var executable: String
    package var process: Int?
    /// What ended the process of a core file, and where its threads stood; nil: nothing did, or no core file was read.
    package var crash: Report.Crash?
    package var threads: [Report.ThreadStack]?
    /// Tasks that had not ended.
    package var count = 0
    /// Those among them that nothing can resume.
    package var neverResuming = 0
    /// Tasks that have ended, and whose memory something still holds.
    package var ended = 0
    package var groups: [Group] = []
    /// Why there is no complete answer; nil: there is.
    package var notMeasured: String?
    package var notes: [String] = []

    package init(executable: String, process: Int? = nil) { (self.executable, self.process) = (executable, process) }

    /// What has to happen before a task goes on.
    package struct State: Codable, Hashable, Sendable {
        package enum Kind: String, Codable, CaseIterable, Sendable {
            case running, ready, actor, executor, task, asyncLet, taskGroup, continuation, sleep, stream, unknown
        }

        package enum Holder: String, Codable, Sendable {
            case property, variable, nobody, unknown
        }

        package var kind: Kind
        /// Who can resume the continuation of a task that waits for one.
        package var holder: Holder?
        /// The actor's or executor's, or that of the object whose property holds the continuation.
        package var type: String?
        /// The property or variable that holds the continuation.
        package var name: String?
        /// How many children of a group have not ended.
        package var unfinished: Int?
        /// What the task waits for for which this one waits: one, or none where that is not known.
        package var awaited: [State]?

        package init(_ kind: Kind) { self.kind = kind }
    }

    /// A task around others, or the tasks that one group consists of.
    package struct Group: Codable, Hashable, Sendable {
        package var count = 1
        package var state: State
        /// Nothing that could resume them can be reached.
        package var neverResumes = false
        package var cancelled = false
        /// Functions that wait, innermost first.
        package var stack: CallStack
        /// The parents of child tasks, outwards.
        package var parents: [Parent] = []
        /// The function with which they begin, where no function is known that waits.
        package var beginsIn: CallStack.Frame?
        /// The stack that made them; nil: not recorded.
        package var createdBy: CallStack?
        /// The names that the program gave them.
        package var names: [String] = []
        /// The runtime's numbers, in ascending order.
        package var ids: [UInt64] = []
        /// Numbers of the threads on which they run.
        package var threads: [Int] = []

        package init(state: State, stack: CallStack) { (self.state, self.stack) = (state, stack) }
    }

    package struct Parent: Codable, Hashable, Sendable {
        package var state: State
        package var stack: CallStack

        package init(state: State, stack: CallStack) { (self.state, self.stack) = (state, stack) }
    }
}
