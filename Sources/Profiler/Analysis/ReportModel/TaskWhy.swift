extension TaskReport {
    /// Why one task does not go on, and what keeps it.
    public struct Why: Codable, Hashable, Sendable {
        /// A name, or the runtime's number of a task.
        public var asked: String
        /// The task, then in turn what each waits for: a task that it awaits, a child of its group, or the task that runs on the actor.
        public var chain: [Step]
        /// The runtime's number of the task in the chain for which the last one waits; absent: the chain ends.
        public var ring: UInt64?
        /// Tasks that wait for the task itself.
        public var waiters: [Group] = []
        /// How many of them are left out; absent: none.
        public var waitersOmitted: Int?
        /// What it alone keeps alive, by the stack that allocated it; absent where the graph of the heap is not known.
        public var retained: [Report.LiveHeap.RetainedRow]?

        package init(asked: String, chain: [Step]) { (self.asked, self.chain) = (asked, chain) }
    }

    public struct Step: Codable, Hashable, Sendable {
        public enum Held: String, Codable, Sendable {
            case continuation, task
        }

        /// The task alone, without its parents behind the first step.
        public var task: Group
        /// What the path leads to.
        public var held: Held?
        /// The path from a root; absent: none is known.
        public var heldBy: HeldBy?

        package init(_ task: Group) { self.task = task }
    }
}
