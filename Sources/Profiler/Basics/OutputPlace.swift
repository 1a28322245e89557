import Foundation

/// Where a path leads that something is written to: a folder, held open, and a name in it. Links are followed as the kernel
/// follows them, except those of other users: none in a folder that everybody can write, and elsewhere only those that lead to
/// a folder of the same user. (`fs.protected_symlinks` is like this, but does not guard a renaming, and may be off.)
package final class OutputPlace {
    /// Why nothing is written; the reason stands inside a sentence.
    package struct Refusal: Error, Hashable, Sendable {
        package var reason: String
        /// The failed call's `errno`; 0: none failed.
        package var code: Int32 = 0

        package init(_ reason: String) { self.reason = reason }

        /// A system call failed.
        package init(code: Int32 = errno) { (self.code, reason) = (code, systemReason(code)) }
    }

    private(set) var folder: Int32
    private(set) var name: Substring?
    /// Of what stands there; nil: nothing does.
    private(set) var found: stat?
    /// The name is that of a descriptor of this process: `/dev/stdout`.
    private(set) var descriptor: Int32?
    /// How the folder is reached without links, from `/` on or from the working directory.
    private var parts: [Substring] = []
    private var isAbsolute: Bool
    /// Other users whose links were followed.
    private var owners: Set<uid_t> = []

    /// - Parameter createsFolder: makes the folders on the way that are missing.
    package init(_ path: String, createsFolder: Bool = false) throws(Refusal) {
        isAbsolute = path.hasPrefix("/")
        folder = open(isAbsolute ? "/" : ".", Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Refusal() }
        var rest = Self.split(path[...])
        var links = 0
        while let part = rest.popLast() {
            if part == "." { continue }
            let entry = openat(folder, String(part), Self.pathOnly | O_NOFOLLOW | O_CLOEXEC)
            if entry < 0, errno == ENOENT {
                if rest.isEmpty {
                    name = part
                } else if createsFolder, mkdirat(folder, String(part), 0o777) == 0 || errno == EEXIST {
                    rest.append(part)
                } else {
                    let reason = createsFolder ? "cannot be made: \(systemReason())" : "does not exist"
                    throw Refusal("the folder \(PrivateFolder.folder(of: path)) \(reason)")
                }
                continue
            }
            guard entry >= 0 else { throw Refusal() }
            let status = Self.status(of: entry)
            if status.st_mode & S_IFMT == S_IFLNK {
                defer { close(entry) }
                links += 1
                guard links <= 40 else { throw Refusal(code: ELOOP) }
                try follow(entry, status, part, &rest)
            } else if status.st_mode & S_IFMT == S_IFDIR {
                enter(entry, part)
            } else {
                close(entry)
                guard rest.isEmpty else {
                    throw Refusal("the folder \(PrivateFolder.folder(of: path)) does not exist")
                }
                (name, found) = (part, status)
            }
        }
        try check(isNamed: name != nil || descriptor != nil)
    }

    deinit { if folder >= 0 { close(folder) } }

    /// The parts in reverse order. What ends in a slash is a folder.
    private static func split(_ path: Substring) -> [Substring] {
        (path.hasSuffix("/") ? ["."] : []) + path.split(separator: "/").reversed()
    }

    static func status(of descriptor: Int32) -> stat {
        var status = stat()
        fstat(descriptor, &status)
        return status
    }

    private func enter(_ entry: Int32, _ part: Substring) {
        close(folder)
        folder = entry
        if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }

    private func follow(_ link: Int32, _ status: stat, _ part: Substring, _ rest: inout [Substring]) throws(Refusal) {
        let path = "\(text(parts))/\(part)"
        guard !isPlanted(status) else { throw Refusal("\(path) is another user's link") }
        if !Self.isTrusted(status.st_uid) { owners.insert(status.st_uid) }
        var process = stat()
        if stat("/proc", &process) == 0, process.st_dev == Self.status(of: folder).st_dev {
            // Its links lead where their text does not.
            if rest.isEmpty {
                let isOwn = isAbsolute && [["proc", "self", "fd"], ["proc", "\(getpid())", "fd"]].contains(parts)
                guard isOwn, let number = Int32(part) else { throw Refusal("it is a link of /proc") }
                descriptor = number
            } else {
                let entry = openat(folder, String(part), Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
                guard entry >= 0 else { throw Refusal() }
                enter(entry, part)
            }
            return
        }
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(link, "", &bytes, bytes.count)
        guard count > 0 else { throw Refusal() }
        let target = String(decoding: bytes[..<count], as: UTF8.self)
        if target.hasPrefix("/") {
            let root = open("/", Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
            guard root >= 0 else { throw Refusal() }
            enter(root, "")
            (isAbsolute, parts) = (true, [])
        }
        rest += Self.split(target[...])
    }

    /// The user's own, or the system's.
    static func isTrusted(_ user: uid_t) -> Bool {
        var root = stat()
        return user == geteuid() || stat("/", &root) == 0 && user == root.st_uid
    }

    /// Whether another user put it into a folder that everybody can write.
    func isPlanted(_ entry: stat) -> Bool {
        let folder = Self.status(of: folder)
        return !Self.isTrusted(entry.st_uid) && folder.st_mode & S_IWOTH != 0 && folder.st_uid != entry.st_uid
    }

    private func check(isNamed: Bool) throws(Refusal) {
        guard isNamed else { throw Refusal("it is a folder") }
        let owner = Self.status(of: folder).st_uid
        guard owners.allSatisfy({ $0 == owner }) else { throw Refusal("another user's link leads there") }
        guard !isReplaceable, let found else { return }
        guard !isPlanted(found) else { throw Refusal("it is another user's and no regular file") }
        guard found.st_mode & S_IFMT != S_IFBLK else { throw Refusal("it is a disk") }
    }

    private func text(_ parts: [Substring]) -> String {
        let path = parts.joined(separator: "/")
        return isAbsolute ? "/" + path : path.isEmpty ? "." : path
    }

    /// A path to the folder that leads nowhere else.
    static func path(of descriptor: Int32, _ text: @autoclosure () -> String) -> String {
        let path = "/proc/self/fd/\(descriptor)"
        return access(path, F_OK) == 0 ? path : text()
    }

    var folderPath: String { Self.path(of: folder, text(parts)) }

    /// The same path without links.
    package var path: String { text(parts + [name ?? ""]) }

    /// Whether nothing is there yet, or a file; otherwise it is a device or a pipe, which is opened.
    package var isReplaceable: Bool {
        descriptor == nil && found.map { $0.st_mode & S_IFMT == S_IFREG } ?? true
    }

    package var isFIFO: Bool { descriptor == nil && found.map { $0.st_mode & S_IFMT == S_IFIFO } ?? false }

    /// O_PATH of fcntl.h, which Swift's module leaves out.
    static let pathOnly: Int32 = 0o10_000_000
}
