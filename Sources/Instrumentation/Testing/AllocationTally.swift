import CTestRecording
import Foundation
import GameprofAnalysis
import GameprofTrace
import Synchronization

/// Counts what a stretch of a test allocates, whatever runs beside it.
///
/// A task-local variable carries the number of the stretch: allocations are the stretch's when the task that makes them,
/// or the thread where there is no task, runs with that number. Child tasks and `Task { }` inherit it; detached tasks,
/// threads and queues do not, so what those allocate is not counted.
enum AllocationTally {
    /// Of the innermost stretch that this code belongs to; 0: none.
    @TaskLocal static var current: UInt64 = 0

    /// What was counted.
    struct Count: Sendable {
        var rows: [ScopedCounterRow] = []
        /// Blocks beside the rows, which have no room for them.
        var omitted: UInt64 = 0
    }

    private static let rowLimit = 8192
    /// What stretches inside a stretch that is still open counted.
    private static let inner = Mutex<[UInt64: Count]>([:])

    /// Begins a stretch: `$current.withValue` its number around the code that it is to count. 0: nothing can be counted.
    static func begin() -> UInt64 {
        uncounted { gp_test_counter_begin(Unmanaged.passUnretained($current).toOpaque()) }
    }

    /// Ends a stretch. The stretch around it, in which this is called, has what was counted too.
    static func end(_ number: UInt64) -> Count {
        let outer = current
        return uncounted {
            var count = read(number)
            inner.withLock { open in
                if let more = open.removeValue(forKey: number) {
                    count.rows += more.rows
                    count.omitted += more.omitted
                }
                guard outer != 0 else { return }
                open[outer, default: Count()].rows += count.rows
                open[outer, default: Count()].omitted += count.omitted
            }
            return count
        }
    }

    /// What this library needs for itself is not counted.
    static func uncounted<Result>(_ body: () throws -> Result) rethrows -> Result {
        current == 0 ? try body() : try $current.withValue(0) { try body() }
    }

    private static func read(_ number: UInt64) -> Count {
        withUnsafeTemporaryAllocation(of: gp_counter_row.self, capacity: rowLimit) { rows in
            var omitted: UInt64 = 0
            let found = gp_counter_end(number, rows.baseAddress, rows.count, &omitted)
            return Count(
                rows: rows.prefix(found).map { row in
                    ScopedCounterRow(
                        metadata: row.metadata, type: TypeID(row.type), stack: StackID(row.stack), count: row.count,
                        bytes: row.bytes)
                }, omitted: omitted)
        }
    }
}
