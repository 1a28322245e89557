import GameprofReport

/// Which reports to write, and where. `-` is standard output.
struct ReportFiles {
    var html: String?
    var json: String?
    /// What the page's source lines are links for; nil: they are no links.
    var editor: Editor?
    /// The page has lines of source.
    var showsSources = true
    /// The page that lists the report's, relative to it.
    var index: String?
    /// The report goes to standard output as text.
    var text = false
    /// The file of the findings to leave out.
    var suppressions: String?
    var allowsColour = true
    /// Nothing but errors is printed.
    var isQuiet = false

    /// A report for machines goes to standard output, and nothing else may.
    var takesOutput: Bool { html == "-" || json == "-" }
}
