import GameprofBasics

extension Report {
    /// How often functions retained and released objects, by the calls that they made of the runtime's functions.
    public struct ReferenceCounting: Codable, Hashable, Sendable {
        public var retains: UInt64 = 0
        public var releases: UInt64 = 0
        /// Calls of both kinds that changed a count by an atomic operation.
        public var atomic: UInt64 = 0
        /// Calls of both kinds for objects that have no count (static ones), so that nothing was changed.
        public var immortal: UInt64 = 0
        /// Calls that were not counted, by handlers of signals that came while the recorder was busy; absent: none.
        public var missed: UInt64?
        /// CPU time in the runtime's functions that retain and release, by samples.
        public var seconds: Double = 0
        /// CPU time that counting took, by samples. Functions that retain and release have it among theirs.
        public var countingSeconds: Double = 0
        /// Functions of the user's, the most changes first.
        public var functions: [FunctionRow] = []
        /// Functions that the list leaves out.
        public var omittedFunctions = 0
        /// Functions of libraries and those that the compiler made, the most changes first.
        public var libraries: [LibraryRow] = []
        /// Functions that the list leaves out.
        public var omittedLibraries = 0

        package init() {}

        /// A function of the user's.
        public struct FunctionRow: Codable, Hashable, Sendable {
            public var function: String
            public var module: String
            /// Path of the source file as the debug information names it.
            public var file: String?
            /// The line with the most changes.
            public var line: Int?
            /// In the function itself: exact.
            public var retains: UInt64 = 0
            public var releases: UInt64 = 0
            /// Calls of both kinds that changed a count by an atomic operation.
            public var atomic: UInt64 = 0
            /// In what it called of `libraries`: an estimate by sampled stacks.
            public var libraryRetains: UInt64 = 0
            public var libraryReleases: UInt64 = 0
            /// The part of all retains and releases that are the function's, with those in libraries: from 0 to 1.
            public var share: Double = 0
            /// CPU time in the runtime's functions, by samples.
            public var seconds: Double = 0
            /// What was retained and released, the most first; an estimate as far as libraries did it.
            public var types: [TypeRow] = []
            /// The most first; without libraries.
            public var lines: [LineRow] = []
            /// The functions of libraries that did the most for it, the most first.
            public var via: [String] = []

            package init(function: String, module: String, file: String? = nil, line: Int? = nil) {
                (self.function, self.module, self.file, self.line) = (function, module, file, line)
            }
        }

        public struct TypeRow: Codable, Hashable, Sendable {
            /// With its module.
            public var type: String
            /// Retains and releases.
            public var changes: UInt64

            package init(type: String, changes: UInt64) { (self.type, self.changes) = (type, changes) }
        }

        public struct LineRow: Codable, Hashable, Sendable {
            public var line: Int
            public var retains: UInt64
            public var releases: UInt64

            package init(line: Int, retains: UInt64, releases: UInt64) {
                (self.line, self.retains, self.releases) = (line, retains, releases)
            }
        }

        /// A function of a library, or that the compiler made: exact.
        public struct LibraryRow: Codable, Hashable, Sendable {
            public var function: String
            public var module: String
            public var retains: UInt64 = 0
            public var releases: UInt64 = 0
            /// Calls of both kinds that changed a count by an atomic operation.
            public var atomic: UInt64 = 0
            /// The user's nearest callers, the most first.
            public var callers: [Caller] = []

            package init(function: String, module: String) { (self.function, self.module) = (function, module) }

            /// A function with its part of the library's changes, from 0 to 1: an estimate.
            public struct Caller: Codable, Hashable, Sendable {
                public var function: String
                public var share: Double

                package init(function: String, share: Double) { (self.function, self.share) = (function, share) }
            }
        }
    }
}
