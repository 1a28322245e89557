import ArgumentParser

struct ZombiesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zombies",
        abstract: "Find uses of deallocated objects: who allocated it, who deallocated it, who used it.",
        usage: "gameprof zombies [options] [--] PROGRAM [ARGS…]",
        discussion: """
            Dead objects are kept for a while, filled with addresses that nobody may touch. With --guard and --sample \
            objects get pages of their own, which are taken away at their death: then plain reads and writes are \
            noticed too. The first use is reported and the program's crash takes its course.
            """)

    @Option(
        name: .customLong("quarantine-bytes"),
        help: ArgumentHelp("Keep dead blocks of so many bytes together (default 33554432).", valueName: "n"))
    var quarantineBytes: UInt64?

    @Option(
        name: .customLong("quarantine-count"),
        help: ArgumentHelp("Keep so many dead blocks, 262144 at most (default 65536).", valueName: "n"))
    var quarantineCount: UInt64?

    @Option(
        name: .customLong("guard-types"),
        help: ArgumentHelp(
            "Give objects of these classes pages of their own; also --guard=Board,Card.", valueName: "types"))
    var guarded: String?

    @Flag(name: .customLong("guard-all"), help: "Give every object pages of its own; also --guard.")
    var guardsAll = false

    @Option(
        name: .long,
        help: ArgumentHelp("Watch one allocation in n only, on pages of its own: for long sessions.", valueName: "n"))
    var sample: UInt32?

    @Flag(
        name: .customLong("keep-going"),
        help: "Let the program go on after a method call or reference count of a dead object.")
    var keepGoing = false

    @OptionGroup var history: HistoryOptions
    @OptionGroup var report: ReportFileOptions
    @OptionGroup var program: ProgramOptions

    func validate() throws {
        if sample == 0 { throw ValidationError("--sample needs a number of at least 1.") }
        if quarantineCount == 0 { throw ValidationError("--quarantine-count needs a number of at least 1.") }
        if let guarded, guarded.contains(where: { ";|=".contains($0) }) {
            throw ValidationError("--guard takes names of classes, divided by commas.")
        }
    }

    /// The options in the words of `GAMEPROF_ZOMBIES`.
    private var words: [String] {
        var words: [String] = []
        if let quarantineBytes { words.append("quarantine-bytes=\(quarantineBytes)") }
        if let quarantineCount { words.append("quarantine-count=\(quarantineCount)") }
        if let sample { words.append("sample=\(sample)") }
        if let guarded {
            words.append("guard=" + guarded.split(separator: ",").joined(separator: "|"))
        }
        if guardsAll { words.append("guard") }
        if keepGoing { words.append("keep-going") }
        return words
    }

    func run() throws {
        var run = InstrumentRun(instrument: "zombies", instruments: "zombies", program: program, report: report)
        run.environment = history.environment
        run.environment["GAMEPROF_ZOMBIES"] = words.joined(separator: ";")
        try run.run()
    }
}
