import GameprofBasics

extension Report {
    /// Where the time went, by samples.
    public struct Hotspots: Codable, Hashable, Sendable {
        /// Of computing threads.
        public var samples: UInt64
        /// User and system time of all threads.
        public var cpuSeconds: Double
        /// Of that, in the kernel.
        public var systemSeconds: Double
        /// Seconds of `systemSeconds` that no sample stands for; absent where that is nothing.
        public var unsampledSeconds: Double?
        /// Samples that could not be taken.
        public var lost: UInt64
        /// Samples asked for in a second of a thread's CPU time.
        public var rate: Double
        /// How samples were taken, and why so.
        public var method: String
        /// The user's function that cost most, with what it called of the libraries; absent where no sample has one.
        public var hottest: HotFunction?
        /// Shares of the samples; the most in the function itself first.
        public var functions: [FunctionRow]
        /// Functions that the list leaves out.
        public var omittedFunctions: Int
        /// Seconds of waiting; absent when waiting threads were not looked at.
        public var offCPU: [FunctionRow]?
        /// Functions that `offCPU` leaves out; absent when it has all.
        public var omittedWaits: Int?
        /// Seconds that threads waited outside the user's code: those of pools without work.
        public var idleSeconds: Double?
        /// The busiest first.
        public var threads: [ThreadRow]
        /// Threads that the list leaves out; absent when it has all.
        public var omittedThreads: Int?
        /// Queues with a label of their own and tasks with a name, the busiest first; absent where no sample was taken at
        /// one. The pools of libdispatch and of Swift's concurrency belong to no queue.
        public var work: [ExecutionContextRow]?
        /// Queues and tasks that the list leaves out; absent when it has all.
        public var omittedWork: Int?
        /// Stacks of functions with their time.
        public var callTree: CallTree

        /// The part of the CPU time, from 0 to 1, that passed in the kernel and that no sample stands for: page faults, and calls of
        /// the system where the kernel samples none. The functions' shares are of the rest then.
        package var unsampledShare: Double {
            cpuSeconds > 0 ? min(1, (unsampledSeconds ?? 0) / cpuSeconds) : 0
        }

        /// A function of the user's. The time of a library's function is that of the user's nearest caller.
        public struct HotFunction: Codable, Hashable, Sendable {
            public var function: String
            public var module: String = ""
            /// Path of the source file as the debug information names it.
            public var file: String?
            /// The line that most of the time was spent on.
            public var line: Int?
            /// Of all samples: in the function itself and in what it called of the libraries.
            public var share: Double
            /// The function of a library that took most of it; absent where the function took more itself.
            public var called: Called?

            /// A function of a library or of the runtime.
            public struct Called: Codable, Hashable, Sendable {
                public var function: String
                public var module: String
                /// Of all samples, in the function itself.
                public var share: Double
            }
        }

        /// A function with its share of the samples, or in `offCPU` with its seconds.
        public struct FunctionRow: Codable, Hashable, Sendable {
            public var function: String
            public var module: String
            /// Path of the source file as the debug information names it.
            public var file: String?
            /// The line that most of the time was spent on.
            public var line: Int?
            /// In the function itself.
            public var own: Double
            /// In it and all that it called; a recursion counts once.
            public var total: Double
            public var origin: FrameOrigin
            /// Where the most time was spent, the most first; then lines that only allocated.
            public var lines: [LineRow]
            /// Its hottest callers, the nearest first.
            public var callers: [String]
            /// In `offCPU`: seconds by what it waited for (`lock`, `sleep` …).
            public var waitsFor: [String: Double]?
            /// In `offCPU`: who held the locks for which it waited, the longest first; absent: that is not known.
            public var heldBy: [LockHolder]?

            /// A function in which a thread was that held a lock, while others waited for it.
            public struct LockHolder: Codable, Hashable, Sendable {
                public var function: String
                public var thread: String
                /// How long the function was waited for.
                public var seconds: Double
            }

            enum CodingKeys: String, CodingKey {
                case own = "self"
                case function, module, file, line, total, origin, lines, callers, waitsFor, heldBy
            }

            public init(
                function: String, module: String = "", file: String? = nil, line: Int? = nil, own: Double,
                total: Double, origin: FrameOrigin = .user, lines: [LineRow] = [], callers: [String] = []
            ) {
                self.function = function
                self.module = module
                self.file = file
                self.line = line
                self.own = own
                self.total = total
                self.origin = origin
                self.lines = lines
                self.callers = callers
            }
        }

        /// A queue of libdispatch's or a task with what it used, on whichever threads.
        public struct ExecutionContextRow: Codable, Hashable, Sendable {
            public enum Kind: String, Codable, Sendable { case queue, task }

            public var kind: Kind
            /// The queue's label, the task's name.
            public var name: String
            /// Of the program's CPU time, by its share of the samples.
            public var cpuSeconds: Double
            /// Of all samples.
            public var share: Double
        }

        /// A thread with what it used.
        public struct ThreadRow: Codable, Hashable, Sendable {
            public var name: String
            public var cpuSeconds: Double
            public var samples: UInt64
            /// CPU seconds in each of `timeline` equal parts of the run time.
            public var timeline: [Double] = []

            /// Parts of the run time in a timeline.
            package static let timelineParts = 120
        }

        /// Stacks of functions. A node is `[caller, function, microseconds]`: the node of the caller (−1: a thread's
        /// root), an index of `functions` and the time in it and all that it called. Callers come first. What is too
        /// small to be seen is left out, and its time is its caller's own.
        public struct CallTree: Codable, Hashable, Sendable {
            public var functions: [Function]
            public var nodes: [[Int]]
            /// Index of the node below which each thread's stacks stand, in the order of `threads`; the last may stand
            /// for several.
            public var roots: [Root]
            /// Nodes that were left out.
            public var omitted: Int
            /// When it was: for the page's choice of a part of the run; no part of the JSON.
            public var moments = Moments()

            enum CodingKeys: String, CodingKey { case functions, nodes, roots, omitted }

            /// Weights by equal parts of the run.
            public struct Moments: Hashable, Sendable {
                /// Of a part; 0: not known.
                public var seconds: Double
                /// `[node, part, weight …]`: weights of the node itself, without what it called.
                public var entries: [[Int]]

                public init(seconds: Double = 0, entries: [[Int]] = []) {
                    self.seconds = seconds
                    self.entries = entries
                }
            }

            public struct Function: Codable, Hashable, Sendable {
                public var name: String
                public var module: String
                public var place: String?
                public var origin: FrameOrigin

                package init(name: String, module: String, place: String? = nil, origin: FrameOrigin) {
                    self.name = name
                    self.module = module
                    self.place = place
                    self.origin = origin
                }
            }

            public struct Root: Codable, Hashable, Sendable {
                public var thread: String
                public var node: Int
                /// `cpu` or `waiting`
                public var kind: String

                package init(thread: String, node: Int, kind: String) {
                    self.thread = thread
                    self.node = node
                    self.kind = kind
                }
            }

            public init(functions: [Function] = [], nodes: [[Int]] = [], roots: [Root] = [], omitted: Int = 0) {
                self.functions = functions
                self.nodes = nodes
                self.roots = roots
                self.omitted = omitted
            }
        }

        public init(samples: UInt64 = 0, cpuSeconds: Double = 0, rate: Double = 0, method: String = "") {
            self.samples = samples
            self.cpuSeconds = cpuSeconds
            self.rate = rate
            self.method = method
            systemSeconds = 0
            lost = 0
            functions = []
            omittedFunctions = 0
            threads = []
            callTree = CallTree()
        }
    }
}
