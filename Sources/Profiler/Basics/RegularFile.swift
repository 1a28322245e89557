import Foundation

/// Files whose names come from others: from a recorded program, a trace, a core file, debug information, `/proc`. Such a name may
/// lead to a FIFO to which nobody writes, or to a device: neither is waited for nor opened.
package enum RegularFile {
    /// Why a file is not read; the reason stands inside a sentence.
    package struct Refusal: Error, Hashable, Sendable {
        package var reason: String
    }

    /// Opens a file for reading without waiting. The caller closes the descriptor.
    package static func open(_ path: String) throws(Refusal) -> (descriptor: Int32, size: Int) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw Refusal(reason: systemReason()) }
        try check(status)
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Refusal(reason: systemReason()) }
        do throws(Refusal) {
            // Another file may have taken the name meanwhile.
            guard fstat(descriptor, &status) == 0 else { throw Refusal(reason: systemReason()) }
            try check(status)
        } catch {
            close(descriptor)
            throw error
        }
        return (descriptor, Int(status.st_size))
    }

    private static func check(_ status: stat) throws(Refusal) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw Refusal(reason: "it is a folder")
        default: throw Refusal(reason: "it is not a regular file")
        }
    }

    /// Files that are larger are mapped: a sparse one would take all memory.
    private static let mostRead = 1 << 30

    /// The bytes that the file has now; of more than a gigabyte only those that are looked at come into memory (`mapped`).
    package static func read(_ path: String) throws(Refusal) -> Data {
        do { return try read(path, limit: mostRead, isPrefix: false) } catch {
            guard error.reason == tooLarge else { throw error }
            return try mapped(path)
        }
    }

    private static let tooLarge = "it is too large"

    /// The bytes that the file has now; nil: it cannot be read, or has more than `limit`.
    package static func contents(_ path: String, limit: Int = .max) -> Data? {
        try? read(path, limit: limit, isPrefix: false)
    }

    /// The first `count` bytes, or all if there are fewer; nil: it cannot be read.
    package static func prefix(_ path: String, count: Int) -> Data? { try? read(path, limit: count, isPrefix: true) }

    private static func read(_ path: String, limit: Int, isPrefix: Bool) throws(Refusal) -> Data {
        let (descriptor, size) = try open(path)
        defer { close(descriptor) }
        guard isPrefix || size <= limit else { throw Refusal(reason: tooLarge) }
        let count = min(size, limit)
        guard count > 0 else { return Data() }
        guard let bytes = malloc(count) else { throw Refusal(reason: systemReason()) }
        var filled = 0
        while filled < count {
            let more = Foundation.read(descriptor, bytes + filled, count - filled)
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else {
                let reason = systemReason()
                free(bytes)
                throw Refusal(reason: reason)
            }
            if more == 0 { break }
            filled += more
        }
        return Data(bytesNoCopy: bytes, count: filled, deallocator: .free)
    }

    /// The contents, of which only what is looked at comes into memory; no address: the file is empty. The caller unmaps them.
    /// Whoever shortens the file meanwhile ends this process by SIGBUS where it looks at what is gone.
    package static func map(_ path: String) throws(Refusal) -> UnsafeRawBufferPointer {
        let (descriptor, size) = try open(path)
        defer { close(descriptor) }
        guard size > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        guard let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), address != MAP_FAILED else {
            throw Refusal(reason: systemReason())
        }
        return UnsafeRawBufferPointer(start: address, count: size)
    }

    /// The same as data, which unmaps them.
    package static func mapped(_ path: String) throws(Refusal) -> Data {
        let bytes = try map(path)
        guard let address = bytes.baseAddress else { return Data() }
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: address), count: bytes.count, deallocator: .unmap)
    }
}
