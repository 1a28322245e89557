import ArgumentParser

/// Which sampled blocks have pages of their own.
struct GuardedSampleOptions: ParsableArguments {
    @Option(
        name: .customLong("guard-samples"),
        help: ArgumentHelp(
            """
            With --sample: place one in n of the sampled blocks on a page of its own, and report the first use of each \
            after its deallocation. The program goes on (default 0: none; 10 is usual for servers).
            """,
            valueName: "n"))
    var guardSamples: UInt32?

    func validate(with sample: BlockSampling?) throws {
        guard let guardSamples, guardSamples > 0 else { return }
        guard let sample, sample.mean > 1 else {
            throw ValidationError("--guard-samples needs --sample with a mean of more than one byte.")
        }
    }

    /// Variables for the recorder.
    var environment: [String: String] { guardSamples.map { ["GAMEPROF_GUARD_SAMPLES": String($0)] } ?? [:] }
}
