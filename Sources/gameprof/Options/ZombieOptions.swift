import ArgumentParser

/// How dead objects are watched.
struct ZombieOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "Limits of the quarantine (default bytes=33554432,blocks=65536; at most 262144 blocks).",
            valueName: "bytes=n,blocks=n", visibility: .hidden))
    var quarantine: [String] = []

    @Flag(
        name: .customLong("continue"),
        help: "Continue the program after a method call or reference counting on a zombie.")
    var continues = false

    func validate() throws { _ = try limits() }

    /// `bytes` and `blocks`, as far as they are named.
    private func limits() throws -> [String: UInt64] {
        var limits: [String: UInt64] = [:]
        for part in quarantine.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            let words = part.split(separator: "=", omittingEmptySubsequences: false)
            guard words.count == 2, ["bytes", "blocks"].contains(words[0]), let number = UInt64(words[1]),
                words[0] == "bytes" || number > 0
            else {
                throw ValidationError("--quarantine takes bytes=N and blocks=N, of which N is at least 1 for blocks.")
            }
            limits[String(words[0])] = number
        }
        return limits
    }

    /// Variables for the recorder.
    func environment(guarding: GuardOptions? = nil) -> [String: String] {
        var words: [String] = []
        let limits = (try? limits()) ?? [:]
        if let bytes = limits["bytes"] { words.append("quarantine-bytes=\(bytes)") }
        if let blocks = limits["blocks"] { words.append("quarantine-count=\(blocks)") }
        words += guarding?.words ?? []
        if continues { words.append("keep-going") }
        return words.isEmpty ? [:] : ["GAMEPROF_ZOMBIES": words.joined(separator: ";")]
    }
}
