import ArgumentParser
import Foundation
import Profiler

struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run `swift test` and list by test what was lost.",
        usage: "gameprof test [options] [--] [ARGUMENTS OF swift test…]",
        discussion: """
            The tests say themselves what may not be lost: the product InstrumentationTesting has the trait .leakFree, \
            expectNoLeaks, expectDeallocated, and the same for XCTest. This command runs them and sums up.

            Exit codes: 0 all tests passed, 1 a test failed, 2 wrong usage, 3 swift could not be started, 4 the tests \
            passed, but none of them measured anything.
            """)

    @OptionGroup var results: ResultFileOptions

    @Argument(help: "Arguments of swift test.")
    var arguments: [String] = []

    static func summary(lost: Int, measured: Int) -> String {
        if lost > 0 { return "Tests that lost something: \(lost)." }
        return measured > 0
            ? "No test lost anything; stretches measured: \(measured)."
            : "Not measured: no test that ran uses .leakFree, expectNoLeaks or another check of the product "
                + "InstrumentationTesting."
    }

    func run() throws {
        try results.check()
        let environment = ProcessInfo.processInfo.environment
        let swift = try ProgramFile.find("swift", environment: environment)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gameprof-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var child = ChildEnvironment()
        child.set(TestFindings.variable, to: folder.path)
        let exit = try ChildProcess.run(swift, arguments: ["test"] + arguments, environment: child).exit
        var scenarios = TestFindings.read(folder: folder.path).map { found in
            Judge(scenario: Budget.Scenario(name: found.test)).judge(found.report)
        }
        let lost = scenarios.count
        if lost == 0, exit.shellStatus != .nothingFound {
            scenarios = [.unrecorded("swift test", outcome: .failed, because: "A test failed that lost nothing.")]
        }
        let measured = TestFindings.measurements(folder: folder.path)
        let isUnmeasured = measured == 0 && scenarios.isEmpty
        if isUnmeasured {
            scenarios = [
                .unrecorded(
                    "swift test", because: "Not measured: no test that ran uses the product InstrumentationTesting.")
            ]
        }
        try results.write(CheckResult(scenarios: scenarios))
        if !results.quiet { StandardError.say(Self.summary(lost: lost, measured: measured)) }
        if isUnmeasured { throw ExitStatus.toolFailed }
        if !scenarios.isEmpty { throw ExitStatus.findings }
    }
}
