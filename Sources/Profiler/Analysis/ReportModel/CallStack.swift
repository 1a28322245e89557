import GameprofBasics

/// A stack with the names of the source, innermost frame first.
public struct CallStack: Codable, Hashable, Sendable {
    public struct Frame: Codable, Hashable, Sendable {
        public var function: String
        public var module: String = ""
        /// Path of the source file as the debug information names it.
        public var file: String?
        public var line: Int?
        /// Inlined into the frame that follows.
        public var inlined: Bool = false
        /// `user`, `library`, `runtime`.
        public var origin: FrameOrigin = .user
    }

    /// Name of the thread, when known.
    public var thread: String?
    public var frames: [Frame]
    /// Frames in the middle or outwards are missing, beyond the limit of the recorder or of the report.
    public var truncated: Bool

    public init(thread: String? = nil, frames: [Frame], truncated: Bool = false) {
        self.thread = thread
        self.frames = frames
        self.truncated = truncated
    }

    /// More frames than this are not kept in a report.
    package static let frameLimit = 64
    /// As many of them are the outermost of a stack that has more.
    package static let outerFrames = 16

    /// The frames of the user's code; all, when none is.
    public var telling: [Frame] {
        let users = frames.filter { $0.origin == .user }
        return users.isEmpty ? frames : users
    }
}

extension CallStack {
    /// The user's innermost function and its line: `Board.deal(_:), Board.swift:12`.
    package var maker: String? { telling.first.map(Self.place) }

    /// What called it, likewise.
    package var caller: String? { telling.dropFirst().first.map(Self.place) }

    private static func place(_ frame: Frame) -> String {
        let place = SourceLocation.short(file: frame.file, line: frame.line)
        return [FunctionName.display(frame.function), place].compactMap { $0.map(PlainText.clean) }
            .joined(separator: ", ")
    }
}
