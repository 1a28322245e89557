import ArgumentParser

/// The trace that a command reads.
struct TraceArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The trace.", valueName: "file.gptrace"))
    var path: String
}
