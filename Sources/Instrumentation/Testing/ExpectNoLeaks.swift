import Foundation
import Testing

/// Expects that `body` loses nothing: no retain cycle, no object that nothing refers to, no memory without a reference.
///
/// What is still reachable afterwards, in a cache for instance, is no leak. Works beside other tests and for a body that
/// throws. Costs a heap snapshot, a few milliseconds.
public func expectNoLeaks<Result>(
    filePath: String = #filePath, function: String = #function, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) rethrows -> Result {
    let scope = TestScope(name: function, file: filePath, function: function)
    LeakSearch.begin(scope)
    defer { record(LeakSearch.end(scope), at: sourceLocation) }
    return try body()
}

/// As above, for a body that waits.
public func expectNoLeaks<Result>(
    filePath: String = #filePath, function: String = #function, sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
    let scope = TestScope(name: function, file: filePath, function: function)
    LeakSearch.begin(scope)
    defer { record(LeakSearch.end(scope), at: sourceLocation) }
    return try await body()
}

/// Records an issue for each finding, and attaches the report's page.
func record(_ outcome: LeakSearch.Outcome, at location: SourceLocation) {
    AllocationTally.uncounted {
        for sentence in [LeakText.problem(outcome)].compactMap({ $0 }) + LeakText.sentences(outcome) {
            Issue.record(Comment(rawValue: sentence), sourceLocation: location)
        }
        attach(outcome.report, named: "\(outcome.subject.rawValue).json", at: location)
    }
}
