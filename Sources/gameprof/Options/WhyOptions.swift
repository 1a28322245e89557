import ArgumentParser

/// The types whose living objects are to be explained.
struct WhyOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Report what holds live objects of this type, by the shortest strong path from a root; heap also reports what \
            they retain. May be repeated.
            """,
            discussion: "Board, Game.Board, Box<Card>, *Controller: with or without module; * and ? are wildcards.",
            valueName: "type"))
    var why: [String] = []

    mutating func validate() throws {
        for type in why where type.isEmpty || type.contains(where: \.isNewline) {
            throw ValidationError("--why needs the name of a type or a pattern.")
        }
    }

    /// What is passed to the recorder.
    var environment: [String: String] {
        why.isEmpty ? [:] : ["GAMEPROF_WHY": why.joined(separator: "\n")]
    }
}
