import Foundation
import Instrumentation
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
    let address = stillAlive(observed)
    let outcome = LeakSearch.end(scope, asked: address)
    guard address != nil, !ZombieRun.isThisProcess else { return }
    if outcome.findings.isEmpty {
        Issue.record(Comment(rawValue: LeakText.alive(Object.self, outcome)), sourceLocation: sourceLocation)
    }
    record(outcome, at: sourceLocation)
}

/// The object's address, and the next snapshot is asked what holds it; nil: it was deallocated.
func stillAlive(_ object: (some AnyObject)?) -> UInt64? {
    guard let object else { return nil }
    Instrumentation.expectDeallocated(object)
    return UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
}
