import XCTest

/// Fails unless `body` loses nothing: no retain cycle, no object that nothing refers to. C.f. `expectNoLeaks`.
public func assertNoLeaks<Result>(
    _ message: @autoclosure () -> String = "", function: String = #function, file: StaticString = #filePath,
    line: UInt = #line, _ body: () throws -> Result
) rethrows -> Result {
    let scope = TestScope(name: function, file: "\(file)", function: function)
    LeakSearch.begin(scope)
    defer { fail(LeakSearch.end(scope), message(), file: file, line: line) }
    return try body()
}

/// As above, for a body that waits.
public func assertNoLeaks<Result>(
    _ message: @autoclosure () -> String = "", function: String = #function, file: StaticString = #filePath,
    line: UInt = #line, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
    let scope = TestScope(name: function, file: "\(file)", function: function)
    LeakSearch.begin(scope)
    defer { fail(LeakSearch.end(scope), message(), file: file, line: line) }
    return try await body()
}

/// Fails unless the object that `make` returns is gone when the closure's own references are.
public func assertDeallocated<Object: AnyObject>(
    function: String = #function, file: StaticString = #filePath, line: UInt = #line, _ make: () throws -> Object
) rethrows {
    let scope = TestScope(name: function, file: "\(file)", function: function)
    LeakSearch.begin(scope)
    weak var observed: Object?
    try {
        let object = try make()
        observed = object
    }()
    let isAlive = observed != nil
    let outcome = LeakSearch.end(scope)
    guard isAlive else { return }
    if outcome.findings.isEmpty {
        XCTFail("\(Object.self) is still alive: something that can be reached holds it.", file: file, line: line)
    }
    fail(outcome, "", file: file, line: line)
}

private func fail(_ outcome: LeakSearch.Outcome, _ message: String, file: StaticString, line: UInt) {
    let prefix = message.isEmpty ? "" : message + ": "
    if let problem = outcome.problem {
        XCTFail("\(prefix)Leaks could not be looked for: \(problem).", file: file, line: line)
    }
    for sentence in LeakText.sentences(outcome) { XCTFail(prefix + sentence, file: file, line: line) }
}
