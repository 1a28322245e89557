import TraceFile

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

extension Report.Counts {
    init(_ counts: AllocationCounts) {
        self.init()
        allocations = counts.allocations
        frees = counts.frees
        bytes = counts.bytes
        liveCount = counts.liveCount
        liveBytes = counts.liveBytes
        peakBytes = counts.peakBytes
        temporary = counts.temporary
    }
}

extension Report.Durations {
    init(_ durations: ProbeSummary.Durations) {
        self.init(
            count: durations.count, total: durations.total, min: durations.min, p50: durations.p50,
            p95: durations.p95, p99: durations.p99, max: durations.max, exact: durations.isExact)
    }
}

extension Report.Exit {
    public init(_ record: ProgramExitRecord) {
        switch record.status {
        case .code(let code): self.init(code: Int(code))
        case .signal(let signal): self.init(signal: Int(signal))
        }
    }
}
