import Foundation
import GameprofAnalysis
import GameprofReport
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
    atMost limit: Int, function: String = #function, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) rethrows -> Result {
    try counting(AllocationLimit(most: limit), of: function, { record($0, at: sourceLocation) }, body)
}

/// As above, for objects of one class and of those that inherit from it.
@discardableResult
public func expectAllocations<Object: AnyObject, Result>(
    of type: Object.Type, atMost limit: Int, function: String = #function,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) rethrows -> Result {
    try counting(AllocationLimit(of: type, most: limit), of: function, { record($0, at: sourceLocation) }, body)
}

/// As above, for a body that waits.
@discardableResult
public func expectAllocations<Result>(
    atMost limit: Int, function: String = #function, sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
    try await counting(AllocationLimit(most: limit), of: function, { record($0, at: sourceLocation) }, body)
}

/// As above, for objects of one class and a body that waits.
@discardableResult
public func expectAllocations<Object: AnyObject, Result>(
    of type: Object.Type, atMost limit: Int, function: String = #function,
    sourceLocation: SourceLocation = #_sourceLocation,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
    try await counting(AllocationLimit(of: type, most: limit), of: function, { record($0, at: sourceLocation) }, body)
}

/// Runs `body`, counts what it allocates and calls `report` for each limit that was exceeded, also where `body` throws.
func counting<Result>(
    _ limit: AllocationLimit, of test: String, _ report: (AllocationLimit.Breach) -> Void,
    _ body: () throws -> Result
) rethrows -> Result {
    let number = AllocationTally.begin()
    let started = Date()
    defer { judge(number, since: started, limit, test, report) }
    return try AllocationTally.$current.withValue(number) { try body() }
}

/// As above, for a body that waits.
func counting<Result>(
    _ limit: AllocationLimit, of test: String, _ report: (AllocationLimit.Breach) -> Void,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
) async rethrows -> Result {
    let number = AllocationTally.begin()
    let started = Date()
    defer { judge(number, since: started, limit, test, report) }
    return try await AllocationTally.$current.withValue(number, operation: { try await body() }, isolation: isolation)
}

private func judge(
    _ number: UInt64, since start: Date, _ limit: AllocationLimit, _ function: String,
    _ report: (AllocationLimit.Breach) -> Void
) {
    let count = AllocationTally.end(number)
    AllocationTally.uncounted {
        guard !ZombieRun.isThisProcess else { return }
        let breach: AllocationLimit.Breach?
        if number == 0 {
            let reason = LeakSearch.obstacle ?? "too many scopes are counted at once"
            breach = AllocationLimit.Breach(text: "Allocations could not be counted: \(reason).")
        } else {
            breach = limit.breach(count)
        }
        let measured = breach == nil ? limit.blocks(count) : breach?.measured
        TestFindings(
            test: TestScope.nameOfTest(or: function), subject: .allocations, report: breach?.report,
            count: measured.map {
                TestFindings.Count(type: limit.type, measured: $0, limit: limit.most, breach: breach?.text)
            },
            failure: measured == nil ? breach?.text : nil, interval: TestFindings.Interval(since: start)
        ).leave()
        if let breach { report(breach) }
    }
}

/// Records an issue and attaches the report.
func record(_ breach: AllocationLimit.Breach, at location: SourceLocation) {
    Issue.record(Comment(rawValue: breach.text), sourceLocation: location)
    attach(breach.report, named: "allocations.json", at: location)
}

/// Attaches the report's JSON to the current test.
func attach(_ report: Report?, named name: String, at location: SourceLocation) {
    guard let report, let json = try? JSONReport.render(report) else { return }
    Attachment.record(Array(json.utf8), named: name, sourceLocation: location)
}
