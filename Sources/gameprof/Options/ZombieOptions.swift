import ArgumentParser

/// How dead objects are watched.
struct ZombieOptions: ParsableArguments {
    @Option(
        name: .customLong("quarantine-bytes"),
        help: ArgumentHelp("Total quarantine size in bytes (default 33554432).", valueName: "n"))
    var quarantineBytes: UInt64?

    @Option(
        name: .customLong("quarantine-count"),
        help: ArgumentHelp("Maximum number of quarantined blocks, up to 262144 (default 65536).", valueName: "n"))
    var quarantineCount: UInt64?

    @Option(
        name: .customLong("guard-types"),
        help: ArgumentHelp(
            "Place objects of these classes on guarded pages; also --guard=Board,Card.", valueName: "types"))
    var guarded: String?

    @Flag(name: .customLong("guard-all"), help: "Place every object on guarded pages; also --guard.")
    var guardsAll = false

    @Flag(
        name: .customLong("no-guard"),
        help: "Place no object on guarded pages (default: the first of each class and stack, and a sample).")
    var guardsNone = false

    @Flag(
        name: .customLong("keep-going"),
        help: "Continue the program after a method call or reference counting on a zombie.")
    var keepGoing = false

    func validate() throws {
        if quarantineCount == 0 { throw ValidationError("--quarantine-count needs a number of at least 1.") }
        if guardsNone, guardsAll || guarded != nil {
            throw ValidationError("--no-guard excludes --guard.")
        }
        if let guarded, guarded.isEmpty || guarded.contains(where: { ";|=".contains($0) }) {
            throw ValidationError("--guard takes names of classes, separated by commas.")
        }
    }

    /// Variables for the recorder. `sample`: one in so many objects is guarded; nil: all are quarantined.
    func environment(sample: UInt32? = nil) -> [String: String] {
        var words: [String] = []
        if let quarantineBytes { words.append("quarantine-bytes=\(quarantineBytes)") }
        if let quarantineCount { words.append("quarantine-count=\(quarantineCount)") }
        if let sample { words.append("sample=\(sample)") }
        if let guarded {
            words.append("guard=" + guarded.split(separator: ",").joined(separator: "|"))
        }
        if guardsAll { words.append("guard") }
        if guardsNone { words.append("no-guard") }
        if keepGoing { words.append("keep-going") }
        return words.isEmpty ? [:] : ["GAMEPROF_ZOMBIES": words.joined(separator: ";")]
    }
}
