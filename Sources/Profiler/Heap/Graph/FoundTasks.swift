import GameprofTrace
import Synchronization

/// The tasks of recorded processes, as the searches of their frozen copies find them: those of a process's last copy.
package final class FoundTasks: Sendable {
    private let lists = Mutex<[UInt64: TaskList]>([:])

    package init() {}

    func note(_ list: TaskList, of process: UInt64) { lists.withLock { $0[process] = list } }

    /// Nil: no copy of it was searched.
    package func list(of process: UInt64) -> TaskList? { lists.withLock { $0[process] } }
}
