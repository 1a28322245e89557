import Foundation
import Profiler
import Testing

/// Expects that `body` allocates at most so many blocks of memory, for objects and for everything else.
///
/// Counted is what the code of `body` asks for, in its own task or thread, in child tasks and in tasks that it begins
/// with `Task { }`, whatever runs beside it. Not counted: what detached tasks, threads and dispatch queues allocate; what
/// happens once in a process, like globals that are made at their first use and type metadata; what Swift Testing needs
/// for itself. A block that grows by being moved counts anew.
///
/// Costs a call at each allocation of the process while it runs, and a walk over the table of live blocks at its end.
@discardableResult
public func expectAllocations<Result>(
    atMost limit: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) rethrows -> Result {
    try counting(AllocationLimit(most: limit), { record($0, at: sourceLocation) }, body)
}

/// As above, for objects of one class and of those that inherit from it.
@discardableResult
public func expectAllocations<Object: AnyObject, Result>(
    of type: Object.Type, atMost limit: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) rethrows -> Result {
    try counting(AllocationLimit(of: type, most: limit), { record($0, at: sourceLocation) }, body)
}

/// As above, for a body that waits.
@discardableResult
public func expectAllocations<Result>(
    atMost limit: Int, sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
    try await counting(AllocationLimit(most: limit), { record($0, at: sourceLocation) }, body)
}

/// As above, for objects of one class and a body that waits.
@discardableResult
public func expectAllocations<Object: AnyObject, Result>(
    of type: Object.Type, atMost limit: Int, sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
    try await counting(AllocationLimit(of: type, most: limit), { record($0, at: sourceLocation) }, body)
}

/// Runs `body`, counts what it allocates and tells `report` of a limit that was not kept, also where `body` throws.
func counting<Result>(
    _ limit: AllocationLimit, _ report: (AllocationLimit.Breach) -> Void, _ body: () throws -> Result
) rethrows -> Result {
    let number = AllocationTally.begin()
    defer { judge(number, limit, report) }
    return try AllocationTally.$current.withValue(number) { try body() }
}

/// As above, for a body that waits.
func counting<Result>(
    _ limit: AllocationLimit, _ report: (AllocationLimit.Breach) -> Void, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
) async rethrows -> Result {
    let number = AllocationTally.begin()
    defer { judge(number, limit, report) }
    return try await AllocationTally.$current.withValue(number, operation: { try await body() }, isolation: isolation)
}

private func judge(_ number: UInt64, _ limit: AllocationLimit, _ report: (AllocationLimit.Breach) -> Void) {
    let count = AllocationTally.end(number)
    AllocationTally.uncounted {
        if number == 0 {
            guard !ZombieRun.isThisProcess else { return }
            let reason = LeakSearch.obstacle ?? "too many stretches are counted at once"
            report(AllocationLimit.Breach(text: "Allocations could not be counted: \(reason)."))
        } else {
            TestFindings.noteMeasurement()
            if let breach = limit.breach(count) { report(breach) }
        }
    }
}

/// Records an issue and attaches the report's page.
func record(_ breach: AllocationLimit.Breach, at location: SourceLocation) {
    Issue.record(Comment(rawValue: breach.text), sourceLocation: location)
    attach(breach.report, named: "allocations.html", at: location)
}

/// Attaches the report's page to the current test.
func attach(_ report: Report?, named name: String, at location: SourceLocation) {
    guard let report, let page = try? HTMLReport.render(report) else { return }
    Attachment.record(Array(page.utf8), named: name, sourceLocation: location)
}
