import ArgumentParser

/// How much is printed beside the files that are asked for.
struct PrintingOptions: ParsableArguments {
    @Flag(name: .customLong("no-color"), help: "Print without colour.")
    var noColor = false

    @OptionGroup var quietness: QuietOptions

    var quiet: Bool { quietness.quiet }
}

/// Whether more than errors is printed.
struct QuietOptions: ParsableArguments {
    @Flag(name: .long, help: "Print errors only.")
    var quiet = false
}
