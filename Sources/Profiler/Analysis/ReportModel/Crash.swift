extension Report {
    /// A fault or abort() that ended the program.
    public struct Crash: Codable, Hashable, Sendable {
        public var signal: Int
        /// Since recording began.
        public var seconds: Double
        /// Its name, `main` for the first one.
        public var thread: String?
        /// Absent where it could not be unwound.
        public var stack: CallStack?
        /// Of the access or the instruction, hexadecimal; absent where the signal was sent.
        public var address: String?
        /// True: the thread's stack had no room left; absent otherwise.
        public var stackOverflow: Bool?
        /// Calls on the stack that overflowed; absent where they were not counted.
        public var calls: Int?
        /// What the Swift runtime printed: "… Fatal error: Index out of range"; absent where it printed nothing.
        public var message: String?
    }

    /// Threads of a core file that stood at the same place.
    public struct ThreadStack: Codable, Hashable, Sendable {
        /// Their names, `main` for the first one.
        public var threads: [String]
        /// Without frames where it could not be unwound.
        public var stack: CallStack
    }
}
