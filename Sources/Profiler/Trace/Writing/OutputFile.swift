import Foundation
import GameprofBasics

/// A file that is being written. Every failure of the disk is an error, none is lost.
package final class OutputFile {
    package let path: String
    private var descriptor: Int32

    /// - Parameter isNew: makes the file, which must not be there; otherwise it is changed in place. A link is not followed.
    package init(path: String, isNew: Bool) throws {
        descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | (isNew ? O_CREAT | O_EXCL : 0), 0o600)
        guard descriptor >= 0 else { throw TraceError.unwritable(path: path, reason: systemReason()) }
        self.path = path
    }

    deinit { if descriptor >= 0 { _ = Foundation.close(descriptor) } }

    /// Writes all of `bytes` at `offset`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        var done = 0
        while done < bytes.count {
            let count = pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw TraceError.unwritable(path: path, reason: systemReason()) }
            done += count
        }
    }

    /// Closes the file; a full disk may be reported only now.
    package func close() throws {
        let result = Foundation.close(descriptor)
        descriptor = -1
        guard result == 0 else { throw TraceError.unwritable(path: path, reason: systemReason()) }
    }
}
