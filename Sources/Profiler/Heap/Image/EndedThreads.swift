import Dispatch
import Foundation

/// Takes note of traced threads that have ended, while others are still being stopped. An exec ends all threads but its own, waits
/// until their tracer has taken note, and until then the kernel lets nobody trace one more: tracer and process would wait for
/// each other for ever.
final class EndedThreads {
    private let timer = DispatchSource.makeTimerSource(queue: .global())

    init(of pid: pid_t) {
        // Where all threads stop at once, which takes less, nothing is done.
        let interval = DispatchTimeInterval.milliseconds(20)
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.setEventHandler {
            // The kernel itself takes note of the main thread.
            for thread in StoppedThreads.threads(of: pid) where thread != pid {
                let (nothingYet, ended, all): (CInt, CInt, CInt) = (1, 4, 0x4000_0000)  // WNOHANG, WEXITED, __WALL
                var info = siginfo_t()
                _ = waitid(P_PID, id_t(thread), &info, nothingYet | ended | all)
            }
        }
        timer.resume()
    }

    deinit { cancel() }

    func cancel() { timer.cancel() }
}
