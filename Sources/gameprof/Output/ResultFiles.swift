/// Which results of a check to write, and where. `-` is standard output.
struct ResultFiles {
    var junit: String?
    var sarif: String?
    var markdown: String?
    var json: String?
    /// GitHub workflow commands.
    var annotations: [String] = []
    /// The folder of the full reports.
    var reports: String?
    /// Pages of reports have lines of source.
    var showsSources = true
    var allowsColour = true
    /// Nothing but errors is printed.
    var isQuiet = false

    /// Those that are one file each.
    var singleFiles: [String] { [junit, sarif, markdown, json].compactMap { $0 } + annotations }

    /// A result for machines goes to standard output, and nothing else may. Annotations are lines of a log.
    var takesOutput: Bool { [junit, sarif, markdown, json].contains("-") }

    /// The first option, of those that were given, that a report has not.
    var ofChecksAlone: String? {
        let given = [
            ("--junit", junit), ("--sarif", sarif), ("--markdown", markdown), ("--annotations", annotations.first),
            ("--reports", reports),
        ]
        return given.first { $0.1 != nil }?.0
    }
}
