import ArgumentParser

/// Whose reference counts are followed.
struct HistoryOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Record every retain and release of the objects of these classes (Board,Card).", valueName: "types"))
    var history: String?

    func validate() throws {
        if let history, history.isEmpty || history.contains(where: { ";|=".contains($0) }) {
            throw ValidationError("--history takes names of classes, separated by commas.")
        }
    }

    /// Variables for the recorder.
    var environment: [String: String] {
        history.map { ["GAMEPROF_HISTORY": $0.split(separator: ",").joined(separator: "|")] } ?? [:]
    }
}
