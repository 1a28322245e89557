import Foundation

/// A file, mapped.
final class FileBytes {
    let bytes: UnsafeRawBufferPointer

    /// Nil: it cannot be read; errno says why.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG else {
            errno = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL
            return nil
        }
        guard status.st_size > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        let address = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let address, address != MAP_FAILED else { return nil }
        bytes = UnsafeRawBufferPointer(start: address, count: Int(status.st_size))
    }

    deinit {
        if let address = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: address), bytes.count) }
    }

    /// Gives the memory back that reading has taken; what is read again comes from the file again.
    func forget() {
        if let address = bytes.baseAddress {
            madvise(UnsafeMutableRawPointer(mutating: address), bytes.count, MADV_DONTNEED)
        }
    }

    /// As far as the file reaches.
    func range(_ offset: UInt64, count: UInt64) -> UnsafeRawBufferPointer {
        let size = UInt64(bytes.count)
        guard offset < size else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset + min(count, size - offset))])
    }
}

/// Numbers of a file, little endian; nil for what lies outside.
struct FileNumbers {
    let bytes: UnsafeRawBufferPointer

    func u16(_ offset: UInt64) -> UInt16? { load(offset) }
    func u32(_ offset: UInt64) -> UInt32? { load(offset) }
    func u64(_ offset: UInt64) -> UInt64? { load(offset) }

    private func load<T: FixedWidthInteger & BitwiseCopyable>(_ offset: UInt64) -> T? {
        let (size, count) = (UInt64(MemoryLayout<T>.size), UInt64(bytes.count))
        guard count >= size, offset <= count - size else { return nil }
        return bytes.loadUnaligned(fromByteOffset: Int(offset), as: T.self)
    }
}
