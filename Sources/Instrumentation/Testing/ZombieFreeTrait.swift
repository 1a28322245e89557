import Foundation
import GameprofAnalysis
import Testing

/// A test, or each test of a suite, that may not use what is dead.
public struct ZombieFreeTrait: TestTrait, SuiteTrait, TestScoping {
    /// Each test of the suite by itself.
    public var isRecursive: Bool { true }

    /// All cases of a test together.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil && !test.isSuite ? self : nil
    }

    /// Runs the test in a process of its own and reports at its place which deallocated objects it used. If it used none, it runs
    /// here as well.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard !ZombieRun.isThisProcess else { return try await function() }
        let started = Date()
        let outcome = await ZombieRun(arguments: [
            "--testing-library", "swift-testing", "--filter", Self.pattern(of: test),
        ]).outcome()
        outcome.leave(test: test.fullName, since: started)
        record(outcome, at: test.sourceLocation)
        // What used a dead object there is not to be tried on the heap of all tests.
        if outcome.findings.isEmpty { try await function() }
    }

    /// The regular expression that the test's name alone matches.
    private static func pattern(of test: Test) -> String {
        let name = String(describing: test.id).map { character in
            character.isASCII && !character.isLetter && !character.isNumber && character != "_"
                ? "\\\(character)" : String(character)
        }
        return "^" + name.joined() + "$"
    }
}

extension Trait where Self == ZombieFreeTrait {
    /// The test uses no deallocated object.
    ///
    /// It is run twice: first alone in a process of its own in which deallocated objects are quarantined and their use is
    /// reported, then, if none was used, with the others. So a test that would crash fails, and the rest of the suite goes on. Costs the start
    /// of a process, and the test's own time once more.
    public static var zombieFree: Self { ZombieFreeTrait() }
}

extension LeakSearch.Outcome {
    /// Leaves it for `gameprof test`.
    func leave(test: String, since start: Date, failure: String? = nil) {
        guard !ZombieRun.isThisProcess else { return }
        TestFindings(
            test: TestScope.nameOfTest(or: test), subject: subject, report: report,
            failure: failure ?? LeakText.problem(self), interval: TestFindings.Interval(since: start)
        ).leave()
    }
}
