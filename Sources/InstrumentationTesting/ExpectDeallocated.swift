import Foundation
import Testing

/// Expects that the object that `make` returns is gone when the closure's own references are, and says what holds it
/// otherwise where nothing can reach it any more.
///
/// The object is looked at through a weak reference; what `make` has kept elsewhere keeps it alive and fails.
public func expectDeallocated<Object: AnyObject>(
    filePath: String = #filePath, function: String = #function, sourceLocation: SourceLocation = #_sourceLocation,
    _ make: () throws -> Object
) rethrows {
    let scope = TestScope(name: function, file: filePath, function: function)
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
        Issue.record(
            "\(Object.self) is still alive: something that can be reached holds it.", sourceLocation: sourceLocation)
    }
    record(outcome, at: sourceLocation)
}
