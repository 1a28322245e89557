import GameprofTrace

/// A program to record, and how.
struct ProgramToRun {
    /// The program, found as a shell finds it, and its arguments. Not empty.
    var words: [String]
    /// The tool exits as the program exited instead of by what was found.
    var propagatesExit = false
    var following = Following.launched
    /// Where the trace is kept; nil: nowhere.
    var output: String?
    /// How large the trace of a process may become, in the recorder's words; nil: its own limit.
    var mostBytes: String?
    /// Where symbols are looked for.
    var search = SymbolSearch()
}
