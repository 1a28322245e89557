import GameprofBasics
import GameprofTrace

// Values of the report made of what analyses work with.

extension CallStack {
    init?(_ stack: SymbolicatedStack) {
        guard !stack.frames.isEmpty else { return nil }
        let frames = stack.frames.prefix(Self.frameLimit).map { frame in
            Frame(
                function: frame.function, module: frame.module, file: frame.file, line: frame.line,
                inlined: frame.isInlined, origin: frame.origin)
        }
        self.init(frames: frames, truncated: stack.isTruncated || stack.frames.count > Self.frameLimit)
    }
}

extension Report.Exit {
    public init(_ record: ProgramExitRecord) {
        switch record.status {
        case .code(let code): self.init(code: Int(code))
        case .signal(let signal):
            self.init(signal: Int(signal), outOfMemory: record.isOutOfMemory ? true : nil)
        }
    }
}
