import Foundation
import GameprofTestSupport
import Testing

@testable import gameprof

/// Files that other services and editors read: what they name exists.
@Suite struct OfferedFilesTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.file(path), encoding: .utf8)
    }

    @Test("the package index documents every library, and each has an article")
    func packageIndex() throws {
        let index = try Self.text(".spi.yml")
        let named = index.matches(of: #/\n +- ([A-Z]\w+)/#).map { String($0.1) }
        let libraries = try Self.text("Package.swift").matches(of: #/\.library\(name: "(\w+)"/#).map { String($0.1) }
        #expect(named == libraries.sorted() && index.utf8.count <= 1_000)
        for name in named {
            let article = DocumentationPages.all.first { $0.path.hasSuffix("/\(name).docc/\(name).md") }
            #expect(article?.text.hasPrefix("# ``\(name)``\n") == true, "\(name)")
        }
    }

    @Test("the action runs commands that have the options that it adds, and the container takes the same version")
    func action() throws {
        let action = try Self.text("action.yml")
        let commands = try #require(action.firstMatch(of: #/COMMAND =~ \^\(([a-z|]+)\)\$/#)).1.split(separator: "|")
        let lists = action.matches(of: #/files\+?=\((.*)\)/#).map { list in
            list.1.matches(of: #/--[a-z]+/#).map { String($0.output) }
        }
        #expect(commands.contains("check") && lists.count == 2)
        for command in try DeclaredCommand.tool().all where commands.contains(Substring(command.commandName)) {
            let added = command.commandName == "analyze" ? lists[0] : lists.flatMap { $0 }
            #expect(Set(added).isSubset(of: command.options.flatMap(\.spellings)), "\(command.commandName)")
        }
        let feature = try Self.text("Examples/Containers/.devcontainer/gameprof/devcontainer-feature.json")
        #expect(action.contains("default: \"\(GameProf.toolVersion)\"\n"))
        #expect(feature.contains("\"version\": \"\(GameProf.toolVersion)\""))
    }

    @Test("the editor finds each line of a report at which something was made")
    func problemMatcher() throws {
        let tasks = try #require(
            try Self.text("Documentation/CI/vscode-tasks.json").firstMatch(of: #/"regexp": ("\^    .*"),/#))
        let pattern = try Regex(JSONDecoder().decode(String.self, from: Data(tasks.1.utf8)))
        let made = try Self.text("Tests/Unit/Golden/full-leaks.txt").split(separator: "\n")
            .filter { $0.hasPrefix("    made in") }
        #expect(made.count > 3 && made.allSatisfy { $0.wholeMatch(of: pattern) != nil })
    }
}
