import Foundation

/// Threads of the profiler's own in the program.
package enum HelperThread {
    /// Signals of the program go to the program's threads. Those that a fault or the recorder's sampler sends come all the same.
    package static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_SETMASK, &signals, nil)
    }

    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            blockSignals()
            body()
        }
        thread.name = name
        thread.stackSize = 1 << 20
        thread.start()
    }
}
