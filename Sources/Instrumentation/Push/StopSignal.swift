import Dispatch
import Synchronization

/// Asks a thread to end, also out of a pause.
final class StopSignal: Sendable {
    private let asked = Atomic(false)
    private let wakening = DispatchSemaphore(value: 0)

    var isAsked: Bool { asked.load(ordering: .acquiring) }

    func ask() {
        asked.store(true, ordering: .releasing)
        wakening.signal()
    }

    /// A pause; false: the thread is asked to end. For one thread.
    func pause(seconds: Double) -> Bool {
        if !isAsked { _ = wakening.wait(timeout: .now() + seconds) }
        return !isAsked
    }
}
