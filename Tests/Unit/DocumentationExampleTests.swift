import GameprofTestSupport
import Testing

@testable import GameprofCheck
@testable import gameprof

/// What people copy from the documentation: budgets are read by the tool, and its commands have the options that stand there.
@Suite struct DocumentationExampleTests {
    @Test("each budget of the documentation is read")
    func budgets() throws {
        let budgets = DocumentationPages.blocks("yaml").filter { $0.text.contains("scenarios:") }
        #expect(budgets.count >= 2)
        for budget in budgets {
            #expect(throws: Never.self, "\(budget.path)") { try Budget.read(yaml: budget.text, file: budget.path) }
        }
    }

    /// The words of each line and code span that begin with the tool's name, up to a comment or the program.
    private static let commands: [(path: String, words: [String])] = DocumentationPages.all.flatMap { page in
        page.text.split(whereSeparator: { $0 == "\n" || $0 == "`" }).compactMap { part -> (String, [String])? in
            let line = part.drop { $0 == "$" || $0 == " " }.prefix { $0 != "#" && $0 != "|" && $0 != ";" }
            let words = line.split(separator: " ").map(String.init)
            guard words.first == "gameprof", words.count > 1 else { return nil }
            return (page.path, words.dropFirst().prefix { $0 != "--" })
        }
    }

    @Test("each command of the documentation has the options that stand there")
    func options() throws {
        let declared = try DeclaredCommand.tool().all
        var known: [String: Set<String>] = [:]
        for command in declared {
            known[command.commandName, default: []].formUnion(command.options.flatMap(\.spellings))
        }
        known["heap"] = known["show"]?.union(known["diff"] ?? [])
        var count = 0
        for (path, words) in Self.commands {
            // The history has a parser of its own.
            guard let command = known[words[0]], words[0] != "history" else { continue }
            for word in words.dropFirst() where word.hasPrefix("--") || word.wholeMatch(of: /\[?-[a-z]\]?/) != nil {
                let option = word.prefix { $0.isLetter || $0 == "-" }
                #expect(command.contains(String(option)), "\(path): gameprof \(words.joined(separator: " "))")
                count += 1
            }
        }
        #expect(count > 30)
    }
}
