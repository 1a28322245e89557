/// The groups of options in the help of a command, in their order there.
enum HelpTitle {
    static let target = "Target"
    static let recorded = "What is recorded"
    static let limits = "Limits"
    static let analysis = "Analysis"
    static let output = "Output"
    static let integration = "Continuous integration"
}
