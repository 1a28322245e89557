import Foundation

/// The memory of another process that changes no more. Read as a file: `process_vm_readv` would first have the kernel copy
/// every page that it shares with the process from which it was cloned.
final class RemoteMemory {
    private let pid: pid_t
    private let file: CInt
    /// Asked where the kernel forbids reading the process, and of another user's process: it may have become another program since
    /// it connected itself, whose memory that user may not read.
    private let connection: SearchConnection
    /// It is that of a copy of this process, whose queues are the program's.
    var isOfThisProcess: Bool { connection.isOwn }

    init(of pid: pid_t, _ connection: SearchConnection) {
        (self.pid, self.connection) = (pid, connection)
        file = connection.user == geteuid() ? open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC) : -1
    }

    deinit { if file >= 0 { close(file) } }

    /// Copies memory; returns how many bytes from the beginning on could be read.
    func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard file >= 0 else { return connection.read(address, into: buffer) }
        var done = 0
        while done < buffer.count {
            let offset = off_t(address) + done
            let count = pread(file, buffer.baseAddress! + done, buffer.count - done, offset)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            done += count
        }
        return done
    }
}
