/// Options as version 0.1 spelled them, accepted for one version more.
struct FormerSpellings {
    /// `%` stands for the value; empty: it is left out.
    private let template: String
    /// The parser knows the option still: its value stands in a variable or in another option now.
    private(set) var isParsed = false

    var hasValue: Bool { template.contains("%") }

    func text(_ value: String) -> String {
        template.split(separator: "%", omittingEmptySubsequences: false).joined(separator: value)
    }

    /// What stands for an option of a command now; nil: it is no former spelling. `words`: all of the
    /// command.
    static func current(_ option: String, of command: String, in words: ArraySlice<String>) -> FormerSpellings? {
        if option == "--sample", command == "record", recordsZombies(words) {
            return ofCommands["zombies"]?[option].map { FormerSpellings(template: $0) }
        }
        if let template = variables[option] { return FormerSpellings(template: template, isParsed: true) }
        return (ofCommands[command]?[option] ?? everywhere[option]).map { FormerSpellings(template: $0) }
    }

    /// Then a sample was one of so many objects, not of bytes.
    private static func recordsZombies(_ words: ArraySlice<String>) -> Bool {
        let options = words.prefix { $0 != "--" }
        return zip(options, options.dropFirst() + [""]).contains { word, next in
            word.hasPrefix("--instruments=") && word.contains("zombies")
                || word == "--instruments" && next.contains("zombies")
        }
    }

    /// What gave its value to a variable, or to a part of another option.
    private static let variables = [
        "--editor": "GAMEPROF_EDITOR=%", "--header": "GAMEPROF_PUSH_HEADERS='%'", "--jobs": "GAMEPROF_ANALYZE_JOBS=%",
        "--no-cache": "GAMEPROF_ANALYZE_CACHE=none", "--history-branch": "--history FILE:%",
    ]

    private static let everywhere = [
        "--guard-types": "--guard=%", "--guard-all": "--guard=all", "--no-guard": "--guard=none",
        "--guard-samples": "--guard=1/%",
        "--quarantine-bytes": "--quarantine=bytes=%", "--quarantine-count": "--quarantine=blocks=%",
        "--follow-launched": "--follow=launched", "--no-follow": "--follow=none",
        "--snapshot-every": "--snapshot-at=%", "--snapshot-signal": "--snapshot-at=%",
        "--at-peak": "--snapshot-at=peak",
        "--debuginfod": "--symbols=debuginfod", "--github": "--annotations=-",
    ]

    private static let ofZombies = ["--keep-going": "--continue", "--history": "--retains=%"]

    private static let ofCommands = [
        "leaks": ["--history": "--retains=%"],
        "zombies": ofZombies.merging(["--sample": "--guard=1/%"]) { $1 },
        "record": ofZombies,
        "heap": ["--type": "--why=%", "--snapshots": "--snapshot=%"],
        "check": ["--no-keep-going": "--fail-fast", "--keep-going": ""],
        "export": ["--waiting": "--values=waiting", "--memory": "--values=allocated", "--live": "--values=live"],
        "push": ["--experimental-otlp": "--store=experimental-otlp", "--service": "--label=service_name=%"],
        "analyze": ["--dry-run": "--fix=show", "--no-index": "--index-store=none", "--trace": "%"],
        "demo": ["--only": "%"],
    ]
}
