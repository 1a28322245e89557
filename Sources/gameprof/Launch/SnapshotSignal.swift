import Foundation

/// Passes a signal that the tool receives on to the recorder as a byte in a FIFO: the program itself gets no signal.
final class SnapshotSignal {
    private let signal: Int32
    private var previous = sigaction()
    private let notice: SnapshotNotice?

    /// Takes the signal over. `notice`: is told of the requests, too.
    init(_ signal: Int32, to requests: RequestPipe, notice: SnapshotNotice? = nil) {
        self.notice = notice
        self.signal = signal
        requestDescriptor = requests.descriptor
        noticeDescriptor = notice?.descriptor ?? -1
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            var byte = RecorderRequest.snapshot.rawValue
            if requestDescriptor >= 0 { _ = write(requestDescriptor, &byte, 1) }
            if noticeDescriptor >= 0 { _ = write(noticeDescriptor, &byte, 1) }
        }
        sigaction(signal, &action, &previous)
    }

    /// Lets the signal in, which the process that started the tool may have blocked. The program has inherited the mask before.
    func unblock() {
        notice?.begin()
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, signal)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    }

    /// Gives the signal back.
    func end() {
        sigaction(signal, &previous, nil)
        (requestDescriptor, noticeDescriptor) = (-1, -1)
        notice?.end()
    }
}

/// Where the signal handler writes; −1: nowhere. Plain words, read and written whole.
private nonisolated(unsafe) var requestDescriptor: Int32 = -1
private nonisolated(unsafe) var noticeDescriptor: Int32 = -1
