import Foundation

/// Passes a signal that the tool receives on to the recorder as a byte in a FIFO: the program itself gets no signal.
final class SnapshotSignal {
    private let path: String
    private let signal: Int32
    private let descriptor: Int32
    private var previous = sigaction()
    private let notice: SnapshotNotice?

    /// Makes the FIFO at `path` and takes the signal over. Requests that come before the recorder reads wait in the FIFO.
    /// `notice`: is told of them, too.
    init(_ signal: Int32, fifo path: String, notice: SnapshotNotice? = nil) throws {
        self.notice = notice
        unlink(path)
        guard mkfifo(path, 0o600) == 0 else {
            let reason = String(cString: strerror(errno)).lowercased()
            throw ToolError(.wrongUsage, "--snapshot-at needs a FIFO at \(path), which cannot be created: \(reason).")
        }
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ToolError(.toolFailed, "The FIFO \(path) cannot be opened.")
        }
        self.path = path
        self.signal = signal
        requestDescriptor = descriptor
        noticeDescriptor = notice?.descriptor ?? -1
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            var byte: UInt8 = 1
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

    /// Gives the signal back and removes the FIFO.
    func end() {
        sigaction(signal, &previous, nil)
        (requestDescriptor, noticeDescriptor) = (-1, -1)
        notice?.end()
        close(descriptor)
        unlink(path)
    }
}

/// Where the signal handler writes; −1: nowhere. Plain words, read and written whole.
private nonisolated(unsafe) var requestDescriptor: Int32 = -1
private nonisolated(unsafe) var noticeDescriptor: Int32 = -1
