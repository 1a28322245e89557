import ArgumentParser

/// How many blocks are recorded.
struct BlockSamplingOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Record a sample of the blocks, one for this many bytes on average (512k is usual for servers), and \
            estimate the counts; leaks are searched among all blocks. 1 records every block.
            """,
            valueName: "bytes"))
    var sample: BlockSampling?

    /// Variables for the recorder.
    func environment(guarding: GuardOptions) -> [String: String] {
        (sample?.environment ?? [:]).merging(guarding.environment) { $1 }
    }
}

/// Mean bytes between two sampled blocks: 524288, 512k, 1M.
struct BlockSampling: ExpressibleByArgument {
    let mean: UInt64

    init?(argument: String) {
        let shifts: [Character: UInt64] = ["k": 10, "m": 20, "g": 30]
        let shift = argument.last.flatMap { shifts[Character($0.lowercased())] }
        let digits = shift == nil ? argument[...] : argument.dropLast()
        // The recorder's most: 2⁴⁰.
        guard digits.allSatisfy(\.isNumber), let number = UInt64(digits), number > 0,
            number <= (1 << 40) >> (shift ?? 0)
        else { return nil }
        mean = number << (shift ?? 0)
    }

    var environment: [String: String] { ["GAMEPROF_SAMPLE": String(mean)] }
}
