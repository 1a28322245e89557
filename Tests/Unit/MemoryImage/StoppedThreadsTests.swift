import Foundation
import Testing

@testable import GameprofMemoryImage

@Suite("Stopped threads") struct StoppedThreadsTests {
    @Test func `a signal that a thread is about to get reaches it when its tracer ends`() throws {
        let child = Process()
        child.executableURL = URL(filePath: "/bin/sleep")
        child.arguments = ["60"]
        let signal = try onOwnThread { () throws(MemoryImageError) -> CInt in
            // Threads of the test block signals, and what they start inherits that.
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            guard (try? child.run()) != nil else { throw MemoryImageError("The child was not started.") }
            let pid = child.processIdentifier
            guard Ptrace.seize(pid) == 0 else { throw MemoryImageError("The child cannot be traced.") }
            kill(pid, SIGUSR1)
            while true {
                if case .stopped(let signal) = Ptrace.state(of: pid) { return signal }
                sched_yield()
            }
        }
        #expect(signal == SIGUSR1)
        child.waitUntilExit()
        #expect(child.terminationReason == .uncaughtSignal && child.terminationStatus == SIGUSR1)
    }
}
