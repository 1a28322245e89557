import ArgumentParser

/// The program to record.
struct ProgramOptions: ParsableArguments {
    @Flag(name: .long, help: "Exit with the program's status instead of the result of the findings.")
    var propagateExit = false

    @Flag
    var following = Following.beyondLaunchers

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

    @OptionGroup var symbols: SymbolOptions

    @Argument(help: "The program to record, and its arguments.")
    var program: [String]

    mutating func validate() throws {
        guard let name = program.first, !name.isEmpty else {
            throw ValidationError("Name the program to record.")
        }
        if let maxTraceSize {
            let digits =
                maxTraceSize.last.map { "KMG".contains($0) } ?? false ? maxTraceSize.dropLast() : maxTraceSize[...]
            guard UInt64(digits).map({ $0 < 1 << 30 || digits.count == maxTraceSize.count }) ?? false else {
                throw ValidationError("--max-trace-size takes a number of bytes, optionally with K, M or G.")
            }
        }
    }

    func value() -> ProgramToRun {
        ProgramToRun(
            words: program, propagatesExit: propagateExit, following: following, output: output,
            mostBytes: maxTraceSize, search: symbols.search)
    }
}
