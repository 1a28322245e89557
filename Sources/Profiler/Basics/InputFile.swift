import Foundation
import Synchronization

/// Files that the user names for reading. They may be pipes: `<(…)`, `/dev/stdin`, a FIFO. Files that others name are
/// `RegularFile`.
package enum InputFile {
    /// Larger ones are not what they are taken for.
    package static let sizeLimit = 256 << 20
    private static let patience: Int32 = 2_000

    /// What came out of pipes, which can be read only once.
    private static let kept = Mutex<[String: Data]>([:])

    /// The contents; nil: they cannot be read, or are larger than `sizeLimit`. A pipe that nobody has written to for two seconds
    /// is waited for, which standard error then says.
    package static func contents(_ path: String) -> Data? {
        if let data = RegularFile.contents(path, limit: sizeLimit) { return data }
        if let data = kept.withLock({ $0[path] }) { return data }
        var status = stat()
        guard stat(path, &status) == 0, ![S_IFREG, S_IFDIR, S_IFSOCK].contains(status.st_mode & S_IFMT),
            let data = drain(path)
        else { return nil }
        kept.withLock { $0[path] = data }
        return data
    }

    private static func drain(_ path: String) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var result = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while result.count <= sizeLimit {
            wait(descriptor, path)
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return result }
            result.append(contentsOf: buffer[..<count])
        }
        return nil
    }

    /// A FIFO that had no writer yet is not at its end: `poll` waits for one, `read` would not.
    private static func wait(_ descriptor: Int32, _ path: String) {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, patience) == 0 else { return }
        let sentence = "gameprof: Waiting for a process to write to \(PlainText.clean(path)).\n"
        try? FileHandle.standardError.write(contentsOf: Data(sentence.utf8))
        while poll(&state, 1, -1) < 0, errno == EINTR {}
    }
}
