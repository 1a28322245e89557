import Foundation
import GameprofAnalysis
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
    guard let outcome = try LeakSearch.ofSurvivor(scope, make) else { return }
    if outcome.findings.isEmpty {
        let sentence = LeakText.alive(Object.self, outcome)
        outcome.leave(test: scope.name, since: scope.started, failure: sentence)
        XCTFail(sentence, file: file, line: line)
    }
    fail(outcome, "", file: file, line: line)
}

/// Fails unless `body` allocates at most so many blocks of memory. C.f. `expectAllocations`.
@discardableResult
public func assertAllocations<Result>(
    atMost limit: Int, _ message: @autoclosure () -> String = "", function: String = #function,
    file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Result
) rethrows -> Result {
    try counting(AllocationLimit(most: limit), of: function, { fail($0, message(), file: file, line: line) }, body)
}

/// As above, for objects of one class and of those that inherit from it.
@discardableResult
public func assertAllocations<Object: AnyObject, Result>(
    of type: Object.Type, atMost limit: Int, _ message: @autoclosure () -> String = "", function: String = #function,
    file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Result
) rethrows -> Result {
    try counting(
        AllocationLimit(of: type, most: limit), of: function, { fail($0, message(), file: file, line: line) }, body)
}

/// As above, for a body that waits.
@discardableResult
public func assertAllocations<Result>(
    atMost limit: Int, _ message: @autoclosure () -> String = "", function: String = #function,
    file: StaticString = #filePath, line: UInt = #line, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
) async rethrows -> Result {
    try await counting(
        AllocationLimit(most: limit), of: function, { fail($0, message(), file: file, line: line) }, body)
}

/// As above, for objects of one class and a body that waits.
@discardableResult
public func assertAllocations<Object: AnyObject, Result>(
    of type: Object.Type, atMost limit: Int, _ message: @autoclosure () -> String = "", function: String = #function,
    file: StaticString = #filePath, line: UInt = #line, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
) async rethrows -> Result {
    try await counting(
        AllocationLimit(of: type, most: limit), of: function, { fail($0, message(), file: file, line: line) }, body)
}

/// Fails if `body` uses a deallocated object. The test method up to the end of `body` is first run alone in a process of
/// its own, in which deallocated objects are quarantined; `body` is not called here when one was used there.
///
/// - Parameter test: the running test: `self`.
public func assertNoZombies(
    in test: XCTestCase, _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line,
    _ body: () throws -> Void
) rethrows {
    guard !ZombieRun.isThisProcess else { return try body() }
    let type = "\(Swift.type(of: test))."
    let method = test.name.hasPrefix(type) ? String(test.name.dropFirst(type.count)) : test.name
    let started = Date()
    let outcome = ZombieRun(arguments: ["\(String(reflecting: Swift.type(of: test)))/\(method)"]).outcomeByWaiting()
    outcome.leave(test: test.name, since: started)
    fail(outcome, message(), file: file, line: line)
    if outcome.findings.isEmpty { try body() }
}

private func fail(_ outcome: LeakSearch.Outcome, _ message: String, file: StaticString, line: UInt) {
    let prefix = message.isEmpty ? "" : message + ": "
    AllocationTally.uncounted {
        for sentence in [LeakText.problem(outcome)].compactMap({ $0 }) + LeakText.sentences(outcome) {
            XCTFail(prefix + sentence, file: file, line: line)
        }
    }
}

private func fail(_ breach: AllocationLimit.Breach, _ message: String, file: StaticString, line: UInt) {
    XCTFail((message.isEmpty ? "" : message + ": ") + breach.text, file: file, line: line)
}
