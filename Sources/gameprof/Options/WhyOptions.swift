import ArgumentParser

/// The types whose living objects are to be explained.
struct WhyOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Say why objects of this type live: the shortest strong way from a root. May be repeated.",
            discussion: "Board, Game.Board, Box<Card>, *Controller: with or without module, * and ? stand for more.",
            valueName: "type"))
    var why: [String] = []

    mutating func validate() throws {
        for type in why where type.isEmpty || type.contains(where: \.isNewline) {
            throw ValidationError("--why needs the name of a type, or a pattern for names.")
        }
    }

    /// What the recorder is told.
    var environment: [String: String] {
        why.isEmpty ? [:] : ["GAMEPROF_WHY": why.joined(separator: "\n")]
    }
}
