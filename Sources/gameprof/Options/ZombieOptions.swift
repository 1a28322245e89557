import ArgumentParser

/// How dead objects are watched.
struct ZombieOptions: ParsableArguments {
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

    func validate() throws {
        if sample == 0 { throw ValidationError("--sample needs a number of at least 1.") }
        if quarantineCount == 0 { throw ValidationError("--quarantine-count needs a number of at least 1.") }
        if let guarded, guarded.isEmpty || guarded.contains(where: { ";|=".contains($0) }) {
            throw ValidationError("--guard takes names of classes, divided by commas.")
        }
    }

    /// Variables for the recorder.
    var environment: [String: String] {
        var words: [String] = []
        if let quarantineBytes { words.append("quarantine-bytes=\(quarantineBytes)") }
        if let quarantineCount { words.append("quarantine-count=\(quarantineCount)") }
        if let sample { words.append("sample=\(sample)") }
        if let guarded {
            words.append("guard=" + guarded.split(separator: ",").joined(separator: "|"))
        }
        if guardsAll { words.append("guard") }
        if keepGoing { words.append("keep-going") }
        return words.isEmpty ? [:] : ["GAMEPROF_ZOMBIES": words.joined(separator: ";")]
    }
}
