/// What `gameprof top` shows: a running process at one moment, and what it has done since the moment before.
package struct TopMoment: Hashable, Sendable {
    /// A function and the CPU time of the interval, as shares of one processor.
    package struct Function: Hashable, Sendable {
        package var name: String
        package var module: String
        /// In the function itself.
        package var own: Double
        /// With what it called.
        package var total: Double

        package init(name: String, module: String, own: Double, total: Double) {
            (self.name, self.module, self.own, self.total) = (name, module, own, total)
        }
    }

    /// A thread that used a processor, and how much of one.
    package struct Thread: Hashable, Sendable {
        package var name: String
        package var share: Double

        package init(name: String, share: Double) { (self.name, self.share) = (name, share) }
    }

    package var process: Int
    package var program: String
    /// Length of the interval.
    package var seconds: Double
    /// Processors that were busy for it: 1.5 is one and a half.
    package var processors: Double { threads.reduce(0) { $0 + $1.share } }
    package var residentBytes: UInt64 = 0
    /// All that there are; `threads` are those that used a processor.
    package var threadCount = 0
    /// Nil: they may not be counted.
    package var descriptors: Int?
    package var functions: [Function] = []
    package var threads: [Thread] = []
    /// The last look at the heap; nil: there was none.
    package var heap: TopHeap?
    /// Why the heap cannot be looked at.
    package var heapProblem: String?

    package init(process: Int, program: String, seconds: Double) {
        (self.process, self.program, self.seconds) = (process, program, seconds)
    }
}

/// The living heap and the tasks of a process at one look.
package struct TopHeap: Hashable, Sendable {
    /// The objects of one type.
    package struct TypeRow: Hashable, Sendable {
        package var type: String
        package var count: Int
        package var bytes: UInt64
        /// Since the first look.
        package var grownCount = 0
        package var grownBytes: Int64 = 0

        package init(type: String, count: Int, bytes: UInt64) {
            (self.type, self.count, self.bytes) = (type, count, bytes)
        }
    }

    package var blocks = 0
    package var bytes: UInt64 = 0
    /// Since the first look.
    package var grownBytes: Int64 = 0
    package var types: [TypeRow] = []
    package var tasks: [TaskReport.Group] = []
    package var taskCount = 0
    package var neverResuming = 0
    /// How long the process stood still for it, in seconds.
    package var pause: Double = 0
    /// When it was taken, in seconds since top was started.
    package var time: Double = 0

    package init() {}
}
