extension Report {
    /// What the program did with files, sockets and pipes, by the calls that it made of the C library.
    public struct Files: Codable, Hashable, Sendable {
        /// Descriptors that were opened, those of a duplication too.
        public var opened: UInt64
        public var closed: UInt64
        public var reads: UInt64
        public var bytesRead: UInt64
        public var writes: UInt64
        public var bytesWritten: UInt64
        /// Inside all calls, of all threads.
        public var seconds: Double
        /// Calls that failed because no descriptor was left; absent: none.
        public var exhausted: UInt64?
        /// Most time first.
        public var byFile: [FileRow]
        /// Files that the list leaves out.
        public var omittedFiles: Int
        /// Most time first.
        public var byStack: [CallRow]
        /// Rows that the list leaves out.
        public var omittedStacks: Int
        /// Descriptors that were open when the recording ended, but for the three standard ones; most first.
        public var neverClosed: [OpenRow]
        /// Rows that the list leaves out.
        public var omittedOpen: Int
        /// Reads and writes through the run.
        public var timeline: [Point]

        public init() {
            (opened, closed, reads, bytesRead, writes, bytesWritten, seconds) = (0, 0, 0, 0, 0, 0, 0)
            (byFile, byStack, neverClosed, timeline) = ([], [], [], [])
            (omittedFiles, omittedStacks, omittedOpen) = (0, 0, 0)
        }

        public enum Kind: String, Codable, Sendable, CaseIterable {
            case file, socket, pipe
            /// An event queue, a timer …
            case event
            /// Open when the program began, or opened past the C library.
            case inherited
            /// Calls that failed and concern no open descriptor.
            case refused
        }

        public enum Operation: String, Codable, Sendable, CaseIterable { case open, close, read, write, sync, connect }

        public struct FileRow: Codable, Hashable, Sendable {
            /// Of a file the path as the program gave it, of a socket its peer.
            public var name: String
            public var kind: Kind
            public var opened: UInt64 = 0
            public var closed: UInt64 = 0
            public var reads: UInt64 = 0
            public var bytesRead: UInt64 = 0
            public var writes: UInt64 = 0
            public var bytesWritten: UInt64 = 0
            /// Calls that returned an error.
            public var failures: UInt64 = 0
            /// Inside the calls.
            public var seconds: Double = 0
            /// Inside the longest one.
            public var longestSeconds: Double = 0

            public init(name: String, kind: Kind) {
                self.name = name
                self.kind = kind
            }
        }

        /// Calls of one kind by one stack.
        public struct CallRow: Codable, Hashable, Sendable {
            public var operation: Operation
            /// The file with the most time.
            public var file: String
            /// How many files there are.
            public var files: Int
            public var calls: UInt64
            public var failures: UInt64
            public var bytes: UInt64
            public var seconds: Double
            public var longestSeconds: Double
            public var stack: CallStack

            public init(operation: Operation, file: String, stack: CallStack) {
                self.operation = operation
                self.file = file
                self.stack = stack
                (files, calls, failures, bytes, seconds, longestSeconds) = (1, 0, 0, 0, 0, 0)
            }
        }

        /// Descriptors that one stack opened and nobody closed.
        public struct OpenRow: Codable, Hashable, Sendable {
            public var kind: Kind
            public var count: Int
            /// Of how many this stack opened in all.
            public var opened: UInt64
            /// Names, each once, at most five.
            public var files: [String]
            /// When the first and the last of them were opened.
            public var firstSeconds: Double
            public var lastSeconds: Double
            public var stack: CallStack
            /// Other processes that have these pipes or sockets open, each once, at most five; absent: none is known.
            public var heldBy: [Holder]?
        }

        /// Another process that has an end of a pipe, or a socket, open.
        public struct Holder: Codable, Hashable, Sendable {
            public var process: Int
            /// As the kernel calls it.
            public var name: String
            /// The end of the pipe that it has; absent: both, or it is a socket.
            public var end: End?

            public enum End: String, Codable, Sendable { case read, write }
        }

        /// Reads and writes since the point before.
        public struct Point: Codable, Hashable, Sendable {
            /// Since recording began.
            public var seconds: Double
            public var calls: UInt64
            public var bytes: UInt64
            /// Inside one call on average.
            public var meanSeconds: Double
            public var longestSeconds: Double
        }
    }
}
