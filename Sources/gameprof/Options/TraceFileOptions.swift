import ArgumentParser

/// The trace that a recording keeps.
struct TraceFileOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Keep the trace in this file.", valueName: "file.gptrace"))
    var output: String?

    @Option(
        name: .customLong("max-trace-size"),
        help: ArgumentHelp(
            """
            Maximum size of a process's trace, beyond which events are dropped: 500M, 2G, 0 for no limit \
            (default 16G).
            """,
            valueName: "size"))
    var maxTraceSize: String?

    mutating func validate() throws {
        guard let maxTraceSize else { return }
        let digits =
            maxTraceSize.last.map { "KMG".contains($0) } ?? false ? maxTraceSize.dropLast() : maxTraceSize[...]
        guard UInt64(digits).map({ $0 < 1 << 30 || digits.count == maxTraceSize.count }) ?? false else {
            throw ValidationError("--max-trace-size takes a number of bytes, optionally with K, M or G.")
        }
    }
}

extension ProgramToRun {
    init(_ target: TargetOptions, trace: TraceFileOptions, symbols: SymbolOptions) throws {
        try target.check()
        self.init(
            words: target.program, propagatesExit: target.propagateExit, following: target.follow,
            output: trace.output, mostBytes: trace.maxTraceSize, search: symbols.search)
    }
}
