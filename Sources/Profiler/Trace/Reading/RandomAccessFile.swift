import Foundation
import GameprofBasics

/// A file that is read by position. Reading past its end gives fewer bytes, never a fault, also when the file shrinks
/// meanwhile (which a mapping would answer with SIGBUS).
final class RandomAccessFile {
    let path: String
    /// Bytes when it was opened.
    let size: UInt64
    private let descriptor: Int32

    init(path: String) throws {
        let file: (descriptor: Int32, size: Int)
        do { file = try RegularFile.open(path) } catch {
            throw TraceError.unreadable(path: path, reason: error.reason)
        }
        self.path = path
        descriptor = file.descriptor
        size = UInt64(file.size)
    }

    deinit { close(descriptor) }

    /// Bytes now: of the files of a program that runs on.
    var currentSize: UInt64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? UInt64(status.st_size) : size
    }

    /// Fills `buffer` from `offset` on and returns how many bytes there were.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard offset <= UInt64(Int64.max), let base = buffer.baseAddress else { return 0 }
        var done = 0
        while done < buffer.count {
            let count = pread(descriptor, base + done, buffer.count - done, off_t(offset) + off_t(done))
            if count < 0 {
                if errno == EINTR { continue }
                throw TraceError.unreadable(path: path, reason: systemReason())
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Reads a plain C structure; nil when the file ends inside it.
    func read<T: BitwiseCopyable>(_ type: T.Type, at offset: UInt64) throws -> T? {
        try withUnsafeTemporaryAllocation(byteCount: MemoryLayout<T>.size, alignment: MemoryLayout<T>.alignment) {
            let count = try read(at: offset, into: $0)
            return count == $0.count ? UnsafeRawBufferPointer($0).loadUnaligned(as: type) : nil
        }
    }
}
