import StaticFindingModel
import Testing

/// Circles that close by way of what a program only says elsewhere, beside programs that look the same and end.
struct CircleTests {
    private func sure(_ text: String) throws -> [StaticFinding] {
        try Sample(["main.swift": text]).look().suspects.filter { $0.confidence >= .medium }
    }

    private static func host(_ load: String, _ shell: String = "private var shell: Shell") -> String {
        """
        protocol Tool: AnyObject { init(context: Shell) }
        final class Shell {
            private var tools: [any Tool] = []
            private var types: [any Tool.Type] = []
            func use(_ type: any Tool.Type) { types.append(type) }
            \(load.hasPrefix("add") ? "func add<Made: Tool>(_ type: Made.Type) { tools.append(Made(context: self)) }" : "")
            func start() { \(load) }
        }
        final class Echo: Tool {
            \(shell)
            init(context: Shell) { shell = context }
        }
        let shell = Shell()
        shell.use(Echo.self)
        shell.start()
        """
    }

    @Test(arguments: [
        "for type in types { tools.append(type.init(context: self)) }",
        "for type in types { let made = type.init(context: self); tools.append(made) }",
        "tools = types.map { $0.init(context: self) }", "add(Echo.self)",
    ])
    func whatAMetatypeMakesHoldsWhatItIsGiven(_ load: String) throws {
        #expect(try sure(Self.host(load)).map(\.rule) == ["object-cycle"])
        #expect(try sure(Self.host(load, "private weak var shell: Shell?")).isEmpty)
    }
}
