#if Instrumented
internal import CRecorderInterface
internal import Synchronization

extension Instrumentation {
    /// Calls `handler` at each memory warning, from now on until what this returns is removed: caches are emptied there.
    ///
    /// A warning comes from `sendMemoryWarning()`, on its thread, or from `sendMemoryWarnings(at:)` or `gameprof` with `--memory-warning-at`, on a
    /// thread of the recorder that blocks all signals and has a stack of 1 MB. The report compares the live bytes before
    /// with those after all handlers. Costs nothing until a warning comes. C counterpart: `gp_on_memory_warning`.
    @discardableResult
    public static func onMemoryWarning(_ handler: @escaping @Sendable () -> Void) -> MemoryWarningHandler {
        let added = memoryWarningHandlers.withLock { handlers in
            handlers.last += 1
            handlers.all.append((handlers.last, handler))
            return MemoryWarningHandler(number: handlers.last)
        }
        gp_on_memory_warning {
            for handler in Instrumentation.memoryWarningHandlers.withLock({ $0.all }) { handler.call() }
        }
        return added
    }

    /// A handler of memory warnings.
    public struct MemoryWarningHandler: Sendable {
        fileprivate let number: UInt64

        /// Calls it no more, but for a warning that is being handled, and lets it go.
        public func remove() {
            // What a handler holds may end with it, and ask for others.
            withExtendedLifetime(
                Instrumentation.memoryWarningHandlers.withLock { handlers in
                    let before = handlers.all
                    handlers.all.removeAll { $0.number == number }
                    return before
                }
            ) {}
        }
    }

    /// Calls the handlers of `onMemoryWarning(_:)`, recorded or not; in a recording, between two marks. C counterpart:
    /// `gp_send_memory_warning`.
    public static func sendMemoryWarning() { gp_send_memory_warning() }

    /// Sends memory warnings by itself from now on: whenever the process comes to hold `limit` bytes of the machine's memory
    /// (nil: no limit), and for the pressure of its cgroup, which is being held back at `memory.high`, or waiting for memory
    /// for more than a tenth of the time.
    ///
    /// Handlers run on a thread of the recorder, as those of `--memory-warning-at`, once a second at most; a limit warns again
    /// when a tenth below it was free in between. Costs a thread that reads three files ten times a second. Works without a
    /// recording; with one it ends with the recording. C counterpart: `gp_send_memory_warnings`.
    public static func sendMemoryWarnings(at limit: UInt64? = nil) { gp_send_memory_warnings(limit ?? 0) }

    fileprivate static let memoryWarningHandlers = Mutex<
        (last: UInt64, all: [(number: UInt64, call: @Sendable () -> Void)])
    >((0, []))
}
#endif
