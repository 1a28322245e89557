import Foundation

@testable import gameprof

/// The commands and options of the tool, as the parser declares them.
struct DeclaredCommand: Decodable {
    struct Option: Decodable {
        struct Name: Decodable { var kind, name: String }
        var kind: String
        var shouldDisplay: Bool
        var names: [Name]?
        var abstract: String?
        var sectionTitle: String?

        /// As they are written on the command line.
        var spellings: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
        var isBuiltIn: Bool { spellings.contains("--help") || spellings.contains("--version") }
    }
    private struct Dump: Decodable { var command: DeclaredCommand }

    var commandName: String
    var subcommands: [DeclaredCommand]?
    var arguments: [Option]?

    /// Those of positions are not among them.
    var options: [Option] { (arguments ?? []).filter { $0.kind != "positional" } }

    /// This command and all below.
    var all: [DeclaredCommand] { [self] + (subcommands ?? []).flatMap(\.all) }

    static func tool() throws -> DeclaredCommand {
        try JSONDecoder().decode(Dump.self, from: Data(GameProf._dumpHelp().utf8)).command
    }
}
