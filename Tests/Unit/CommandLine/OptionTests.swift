import Testing

@testable import gameprof

@Suite("Options of the command line")
struct OptionTests {
    let commands: [DeclaredCommand]

    init() throws { commands = try DeclaredCommand.tool().all }

    @Test("there are at most fifty visible long options")
    func count() {
        let names = Set(commands.flatMap(\.options).filter(\.shouldDisplay).flatMap(\.spellings))
            .filter { $0.hasPrefix("--") }
        #expect(names.count <= 50, "\(names.count): \(names.sorted())")
    }

    @Test("a command declares each option once, describes it, and groups the options of a recording")
    func descriptions() {
        for command in commands {
            let spellings = command.options.flatMap(\.spellings)
            #expect(Set(spellings).count == spellings.count, "\(command.commandName)")
            for option in command.options where option.shouldDisplay {
                #expect(option.abstract?.isEmpty == false, "\(command.commandName) \(option.spellings)")
            }
        }
        for command in commands where ["leaks", "show", "zombies", "record"].contains(command.commandName) {
            for option in command.options where option.shouldDisplay && !option.isBuiltIn {
                #expect(option.sectionTitle != nil, "\(command.commandName) \(option.spellings)")
            }
        }
    }

    @Test("an option takes a value in all commands or in none, and is known where the program is looked for")
    func values() {
        let options = commands.flatMap(\.options)
        let withValue = Set(options.filter { $0.kind == "option" }.flatMap(\.spellings))
        #expect(withValue.isDisjoint(with: options.filter { $0.kind == "flag" }.flatMap(\.spellings)))
        #expect(OptionWords.withValue.union(OptionWords.withOptionalValue.keys) == withValue)
    }
}
