import Foundation

/// The memory of another process that changes no more. Read as a file: `process_vm_readv` would first have the kernel copy
/// every page that it shares with the process from which it was cloned.
final class RemoteMemory {
    private let pid: pid_t
    private let file: CInt

    init(of pid: pid_t) {
        self.pid = pid
        file = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
    }

    deinit { if file >= 0 { close(file) } }

    /// Copies memory; returns how many bytes from the beginning on could be read.
    func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard file >= 0 else { return readMemory(of: pid, at: address, into: buffer) }
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
