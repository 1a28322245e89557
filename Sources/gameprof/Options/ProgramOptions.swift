import ArgumentParser

/// The program to record.
struct ProgramOptions: ParsableArguments {
    @Flag(name: .long, help: "Exit as the program exited instead of by what was found.")
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
            How large the trace of a process may become before events are dropped: 500M, 2G, 0 for any size \
            (default 16G).
            """,
            valueName: "size"))
    var maxTraceSize: String?

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
                throw ValidationError("--max-trace-size takes a number of bytes, or one with K, M or G behind it.")
            }
        }
    }
}
