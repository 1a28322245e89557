import ArgumentParser

/// Which results of a check to write, and where.
struct ResultFileOptions: ParsableArguments {
    @OptionGroup(title: HelpTitle.output) var json: ResultJSONOptions
    @OptionGroup(title: HelpTitle.output) var printing: PrintingOptions
    @OptionGroup(title: HelpTitle.integration) var integration: IntegrationFileOptions

    mutating func validate() throws {
        let onOutput = value().singleFiles.count { $0 == "-" }
        if onOutput > 1 { throw ValidationError("Only one result can go to standard output.") }
    }

    func value() -> ResultFiles {
        ResultFiles(
            junit: integration.junit, sarif: integration.sarif, markdown: integration.markdown, json: json.json,
            annotations: integration.annotations, reports: integration.reports, allowsColour: !printing.noColor,
            isQuiet: printing.quiet)
    }
}

/// The result for programs.
struct ResultJSONOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write the result as JSON (- is standard output; that of programs goes to standard error then).",
            valueName: "file"))
    var json: String?
}

/// The result as the services that run builds read it.
struct IntegrationFileOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Write JUnit XML (- is standard output).", valueName: "file.xml"))
    var junit: String?

    @OptionGroup var sarifFile: SARIFOptions

    @Option(
        name: .long,
        help: ArgumentHelp("Write a Markdown summary of the job (- is standard output).", valueName: "file.md"))
    var markdown: String?

    @OptionGroup var annotationFile: AnnotationOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write index.html and the full report of each scenario to this folder, as HTML and JSON.",
            valueName: "folder"))
    var reports: String?

    var sarif: String? { sarifFile.sarif }
    var annotations: [String] { annotationFile.annotations }
}

/// SARIF, of a check or of static findings.
struct SARIFOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Write SARIF 2.1.0 (- is standard output).", valueName: "file.sarif"))
    var sarif: String?
}

/// Annotations of source lines, of a check or of static findings.
struct AnnotationOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "Write GitHub workflow commands that annotate source lines (- is standard output).", valueName: "file"))
    var annotations: [String] = []
}
