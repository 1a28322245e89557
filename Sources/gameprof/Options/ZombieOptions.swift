import ArgumentParser
import GameprofBasics

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
                throw ValidationError("--quarantine takes bytes=N and blocks=N; blocks must be at least 1.")
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

/// Which blocks have pages of their own.
struct GuardOptions: ParsableArguments {
    @Option(
        name: .customLong("guard"), parsing: .singleValue,
        help: ArgumentHelp(
            """
            Place these objects on guarded pages: all (also --guard alone), none, those of classes (--guard=Board,Card), \
            or one in n allocations and no others (--guard=1/100; default: the first of each class and stack, and a sample).
            """,
            discussion: """
                Without zombies, only 1/n is allowed, together with --sample: one in n of the sampled blocks is \
                guarded, the first use of each after its deallocation is reported, and the program continues (1/10 is \
                usual for servers).
                """,
            valueName: "which"))
    var choices: [GuardChoice] = []

    private var choice: GuardChoice { choices.reduce(GuardChoice()) { $0.joined(with: $1) } }

    func validate() throws {
        let choice = choice
        guard !choice.isNone || !choice.isAll && choice.types.isEmpty && choice.oneIn == nil else {
            throw ValidationError("--guard=none excludes other values of --guard.")
        }
    }

    /// What the option has to be where the blocks of `sample` are guarded.
    func validate(with sample: BlockSampling?) throws {
        let choice = choice
        guard !choice.isAll, choice.types.isEmpty else {
            throw ValidationError("--guard takes only 1/n here; other values are for zombies.")
        }
        guard let oneIn = choice.oneIn, oneIn > 0 else { return }
        guard let sample, sample.mean > 1 else {
            throw ValidationError("--guard needs --sample with a mean of more than one byte.")
        }
    }

    /// What the option has to be where objects are watched by their class.
    func validateForZombies() throws {
        if choice.oneIn == 0 { throw ValidationError("--guard=1/n needs a number of at least 1.") }
    }

    /// Variables for the recorder of sampled blocks.
    var environment: [String: String] { choice.oneIn.map { ["GAMEPROF_GUARD_SAMPLES": String($0)] } ?? [:] }

    /// Words of the variable `GAMEPROF_ZOMBIES`.
    var words: [String] {
        let choice = choice
        var words: [String] = []
        if let oneIn = choice.oneIn { words.append("sample=\(oneIn)") }
        if !choice.types.isEmpty { words.append("guard=" + choice.types.joined(separator: "|")) }
        if choice.isAll { words.append("guard") }
        if choice.isNone { words.append("no-guard") }
        return words
    }
}

/// `all`, `none`, `1/n` and names of classes, separated by commas.
struct GuardChoice: ExpressibleByArgument {
    private(set) var isAll = false
    private(set) var isNone = false
    private(set) var oneIn: UInt32?
    private(set) var types: [String] = []

    init() {}

    init?(argument: String) {
        for word in TypeName.list(argument[...]) {
            switch word {
            case "all": isAll = true
            case "none": isNone = true
            case _ where word.hasPrefix("1/"):
                guard let number = UInt32(word.dropFirst(2)) else { return nil }
                oneIn = number
            case _ where word.contains { ";|=/".contains($0) }: return nil
            default: types.append(String(word))
            }
        }
        if !isAll, !isNone, oneIn == nil, types.isEmpty { return nil }
    }

    func joined(with other: GuardChoice) -> GuardChoice {
        var result = self
        result.isAll = isAll || other.isAll
        result.isNone = isNone || other.isNone
        result.oneIn = other.oneIn ?? oneIn
        result.types += other.types
        return result
    }
}
