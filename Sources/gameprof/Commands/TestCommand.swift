import ArgumentParser
import Foundation
import GameprofAnalysis
import GameprofBasics
import GameprofCheck

struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run `swift test` and list the findings by test.",
        usage: "gameprof test [options] [--] [ARGUMENTS OF swift test…]",
        discussion: """
            The tests declare their checks with the product InstrumentationTesting: the trait .leakFree, \
            expectNoLeaks, expectDeallocated, and the same for XCTest. This command lists the findings; results hold \
            every test that checks something, and --reports keeps the report of each test that found something.

            Exit codes: 0 all tests passed, 1 a test failed, 2 wrong usage, 3 swift could not be started, 4 the tests \
            passed, but none of them measured anything.
            """)

    @Argument(help: "Arguments of swift test.")
    var arguments: [String] = []

    @OptionGroup var results: ResultFileOptions

    func run() throws {
        var output = ResultOutput(results.value())
        try output.check()
        let environment = ProcessInfo.processInfo.environment
        let swift = try ProgramFile.find("swift", environment: environment)
        let folder = try PrivateFolder.temporary(for: "test", environment)
        defer { folder.remove() }
        var child = ChildEnvironment()
        child.set(TestFindings.variable, to: folder.path)
        let exit = try ChildProcess.run(
            swift, arguments: ["test"] + arguments, environment: child, outputToError: output.files.takesOutput
        ).exit
        let tests = TestRun(
            command: ["swift", "test"] + arguments, checks: TestFindings.read(folder: folder.path),
            hasPassed: exit.shellStatus == .nothingFound)
        for check in tests.checks {
            if let report = check.report { try output.write(report, scenario: check.test, word: "") }
        }
        let result = tests.result
        try output.write(result)
        if !output.files.isQuiet { StandardError.say(tests.summary) }
        if result.outcome != .passed { throw result.outcome == .failed ? ExitStatus.findings : .toolFailed }
    }
}
