import Foundation
import Testing

@testable import GameprofHeap

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

    #if arch(x86_64)
    @Test(
        "of a call it is known whether it ends, begins again or goes on after a stop",
        arguments: [
            (232, [5, 0, 1, UInt64(bitPattern: -1)], nil), (232, [5, 0, 1, 1000], .ends),
            (128, [0, 0, 0], nil), (128, [0, 0, 8], .beginsAgain),
            (202, [0, 128, 0, 8], nil), (202, [0, 137, 0, 8], nil), (1, [1, 0, 9], .endsEarly), (39, [], nil),
            (-1, [], nil),
        ] as [(Int, [UInt64], WaitingCall.Effect?)])
    func effect(number: Int, arguments: [UInt64], expected: WaitingCall.Effect?) {
        #expect(WaitingCall(number: number, arguments: arguments).effect(of: getpid(), isFiltered: false) == expected)
    }

    @Test func `under a filter a relative sleep begins again, an absolute one goes on`() {
        let (relative, absolute) = (
            WaitingCall(number: 202, arguments: [0, 128, 0, 8]), WaitingCall(number: 202, arguments: [0, 137, 0, 8])
        )
        #expect(relative.effect(of: getpid(), isFiltered: true) == .beginsAgain)
        #expect(absolute.effect(of: getpid(), isFiltered: true) == nil)
    }
    #endif
}
