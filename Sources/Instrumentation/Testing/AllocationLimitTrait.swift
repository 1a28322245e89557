import Testing

/// A test, or each test of a suite, that may allocate so much and no more.
public struct AllocationLimitTrait: TestTrait, SuiteTrait, TestScoping {
    fileprivate let limit: AllocationLimit

    /// Each test of the suite by itself.
    public var isRecursive: Bool { true }

    /// Each case of a test with arguments by itself.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    /// Runs the test and reports at its place what it allocated above the limit.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await counting(
            limit, of: test.displayName ?? test.name, { record($0, at: test.sourceLocation) }, function)
    }
}

extension Trait where Self == AllocationLimitTrait {
    /// The test, or each test of the suite, allocates at most so many blocks of memory. C.f. `expectAllocations`.
    public static func allocations(atMost limit: Int) -> Self {
        AllocationLimitTrait(limit: AllocationLimit(most: limit))
    }

    /// The test, or each test of the suite, allocates at most so many objects of a class and of those that inherit from it.
    public static func allocations<Object: AnyObject>(of type: Object.Type, atMost limit: Int) -> Self {
        AllocationLimitTrait(limit: AllocationLimit(of: type, most: limit))
    }
}
