import GameprofBasics
import GameprofTrace

// Values of the report made of what analyses work with.

extension CallStack {
    init?(_ stack: SymbolicatedStack) {
        guard !stack.frames.isEmpty else { return nil }
        let isLong = stack.frames.count > Self.frameLimit
        // Where a deep recursion began stands at the outer end.
        let kept =
            isLong
            ? stack.frames.prefix(Self.frameLimit - Self.outerFrames) + stack.frames.suffix(Self.outerFrames)
            : stack.frames[...]
        let frames = kept.map { frame in
            Frame(
                function: frame.function, module: frame.module, file: frame.file, line: frame.line,
                inlined: frame.isInlined, origin: frame.origin)
        }
        self.init(frames: frames, truncated: stack.isTruncated || isLong)
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
