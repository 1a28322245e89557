import Foundation
import GameprofBasics

/// A file that this process keeps locked as long as it lives. The recorder sees by the lock when the tool has gone, however
/// it ended, and stops to record.
final class ToolLock {
    private let path: String
    private let descriptor: Int32

    /// Beside the trace at `trace`. Where files cannot be locked there is none, and the recorder never stops for want of it.
    init?(trace: String) {
        path = Self.path(of: trace)
        // A lock under its name that is not held yet would be taken for that of a killed tool.
        let unheld = path + ".new"
        descriptor = open(unheld, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard Self.lock(descriptor), rename(unheld, path) == 0 else {
            close(descriptor)
            unlink(unheld)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Where the lock of a recording stands.
    static func path(of trace: String) -> String { trace + ".tool" }

    /// Removes what killed tools have left in their private folders: every recording whose lock is free.
    static func removeLeftovers(of use: String, _ environment: [String: String]) {
        PrivateFolder.clearLeftovers(of: use, environment) { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let cleared = ([folder] + names.map { "\(folder)/\($0)" }).filter(removeLeftovers)
            for inner in cleared where inner != folder { rmdir(inner) }
            return !cleared.isEmpty
        }
    }

    /// False: there were none.
    private static func removeLeftovers(in folder: String) -> Bool {
        let suffix = path(of: "")
        var areThere = false
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasSuffix(suffix) {
            let lock = open("\(folder)/\(name)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard lock >= 0 else { continue }
            defer { close(lock) }
            guard Self.lock(lock), Self.isNamed(lock, "\(folder)/\(name)") else { continue }
            let trace = name.dropLast(suffix.count)
            areThere = true
            for left in names where left == trace || left.hasPrefix(trace + ".") { unlink("\(folder)/\(left)") }
        }
        return areThere
    }

    /// Whether the name still is the open file's: the tool that ended meanwhile has removed it.
    private static func isNamed(_ descriptor: Int32, _ path: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
            && opened.st_dev == named.st_dev
    }

    /// F_OFD_SETLK of fcntl.h, which Swift's module leaves out: the lock belongs to the descriptor, not to the process.
    private static let setLock: Int32 = 37

    private static func lock(_ descriptor: Int32) -> Bool {
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
        return fcntl(descriptor, setLock, &lock) == 0
    }
}
