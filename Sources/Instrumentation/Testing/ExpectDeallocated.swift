import CTestRecording
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
    guard let outcome = try LeakSearch.ofSurvivor(scope, make) else { return }
    if outcome.findings.isEmpty {
        let sentence = LeakText.alive(Object.self, outcome)
        outcome.leave(test: scope.name, since: scope.started, failure: sentence)
        Issue.record(Comment(rawValue: sentence), sourceLocation: sourceLocation)
    }
    record(outcome, at: sourceLocation)
}

extension LeakSearch {
    /// What is to be said of the object that `make` returns where it outlives the closure's own references; nil: nothing.
    /// The scope ends, also where `make` throws.
    static func ofSurvivor<Object: AnyObject>(_ scope: TestScope, _ make: () throws -> Object) rethrows -> Outcome? {
        begin(scope)
        weak var observed: Object?
        do {
            let object = try make()
            observed = object
        } catch {
            _ = end(scope)
            throw error
        }
        let address = stillAlive(observed)
        let outcome = end(scope, asked: address)
        return address == nil || ZombieRun.isThisProcess ? nil : outcome
    }
}

/// The object's address, and the next snapshot is asked what holds it; nil: it was deallocated.
func stillAlive(_ object: (some AnyObject)?) -> UInt64? {
    guard let object else { return nil }
    let address = Unmanaged.passUnretained(object).toOpaque()
    _ = gp_expect_deallocated(address, #fileID, #line)
    return UInt64(UInt(bitPattern: address))
}
