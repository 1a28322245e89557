import Testing

/// A test, or each test of a suite, that may lose nothing.
public struct LeakFreeTrait: TestTrait, SuiteTrait, TestScoping {
    /// Each test of the suite by itself.
    public var isRecursive: Bool { true }

    /// Each case of a test with arguments by itself.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    /// Runs the test and reports at its place what it lost.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let location = test.sourceLocation
        let scope = TestScope(name: test.fullName, file: location.fileName, function: test.name)
        LeakSearch.begin(scope)
        do {
            try await function()
        } catch {
            record(LeakSearch.end(scope), at: location)
            throw error
        }
        record(LeakSearch.end(scope), at: location)
    }
}

extension Trait where Self == LeakFreeTrait {
    /// The test may lose nothing: no retain cycle, no object that nothing refers to.
    public static var leakFree: Self { LeakFreeTrait() }
}
