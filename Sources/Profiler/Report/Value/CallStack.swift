/// A stack with the names of the source, innermost frame first.
public struct CallStack: Codable, Hashable, Sendable {
    public struct Frame: Codable, Hashable, Sendable {
        public var function: String
        public var module: String
        /// Path of the source file as the debug information names it.
        public var file: String?
        public var line: Int?
        /// Inlined into the frame that follows.
        public var inlined: Bool
        /// `user`, `library`, `runtime`.
        public var origin: FrameOrigin

        public init(
            function: String, module: String = "", file: String? = nil, line: Int? = nil, inlined: Bool = false,
            origin: FrameOrigin = .user
        ) {
            self.function = function
            self.module = module
            self.file = file
            self.line = line
            self.inlined = inlined
            self.origin = origin
        }
    }

    /// Name of the thread, when known.
    public var thread: String?
    public var frames: [Frame]
    /// The stack goes on outwards beyond the recorder's limit or the report's.
    public var truncated: Bool

    public init(thread: String? = nil, frames: [Frame], truncated: Bool = false) {
        self.thread = thread
        self.frames = frames
        self.truncated = truncated
    }

    /// More frames than this are not kept in a report.
    static let frameLimit = 64

    init?(_ stack: SymbolicatedStack) {
        guard !stack.frames.isEmpty else { return nil }
        frames = stack.frames.prefix(Self.frameLimit).map { frame in
            Frame(
                function: frame.function, module: frame.module, file: frame.file, line: frame.line,
                inlined: frame.isInlined, origin: frame.origin)
        }
        truncated = stack.isTruncated || stack.frames.count > Self.frameLimit
    }

    /// The frames of the user's code; all, when none is.
    public var telling: [Frame] {
        let users = frames.filter { $0.origin == .user }
        return users.isEmpty ? frames : users
    }
}
