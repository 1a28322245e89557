import Foundation

/// A file that is read by position. Reading past its end gives fewer bytes, never a fault, also when the file shrinks
/// meanwhile (which a mapping would answer with SIGBUS).
final class RandomAccessFile {
    let path: String
    /// Bytes when it was opened.
    let size: UInt64
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw TraceError.unreadable(path: path, reason: systemReason()) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw TraceError.unreadable(path: path, reason: systemReason())
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw TraceError.unreadable(path: path, reason: isFolder ? "it is a folder" : "it is not a regular file")
        }
        self.path = path
        size = UInt64(status.st_size)
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

/// The system's words for `errno`, without a capital first letter, to stand inside a sentence.
func systemReason(_ number: Int32 = errno) -> String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
}
