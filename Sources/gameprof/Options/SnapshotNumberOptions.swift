import ArgumentParser

/// Which snapshots of a trace are looked at.
struct SnapshotNumberOptions: ParsableArguments {
    @Option(
        name: .customLong("snapshot"),
        help: ArgumentHelp(
            """
            Look at this snapshot of a trace, from 1 (default: the last one, with gameprof heap the one near the peak); \
            heap diff compares two of them, or three of one trace (1,2,3).
            """,
            valueName: "number"))
    var text: String?

    func validate() throws {
        guard try numbers()?.allSatisfy({ $0 > 0 }) ?? true else {
            throw ValidationError("--snapshot takes numbers of snapshots, from 1.")
        }
    }

    /// Nil: those that the command chooses.
    func numbers() throws -> [Int]? {
        try text?.split(separator: ",", omittingEmptySubsequences: false).map {
            guard let number = Int($0) else {
                throw ValidationError("--snapshot takes numbers of snapshots, from 1, not “\($0)”.")
            }
            return number
        }
    }

    /// The one number where there can be no more.
    func only() throws -> Int? {
        guard let numbers = try numbers() else { return nil }
        guard numbers.count == 1 else { throw ToolError(.wrongUsage, "--snapshot takes one number here.") }
        return numbers[0]
    }
}
