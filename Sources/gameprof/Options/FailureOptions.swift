import ArgumentParser

/// Which allocation fails.
struct FailureOptions: ParsableArguments {
    @Option(
        name: .customLong("fail-allocation"),
        help: ArgumentHelp(
            "Let the n-th allocation of the program's own code fail, to see what it does then.",
            discussion: """
                Allocations count from main on if the executable asks for them, or the runtime of Swift or C++ on its behalf. \
                The report names the stack and how the program ended.
                """,
            valueName: "n"))
    var number: UInt64?

    func validate() throws {
        if number == 0 { throw ValidationError("--fail-allocation counts from 1.") }
    }

    /// Variables for the recorder.
    var environment: [String: String] { number.map { ["GAMEPROF_FAIL_ALLOCATION": String($0)] } ?? [:] }
}
