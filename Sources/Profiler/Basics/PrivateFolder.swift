import Foundation

/// A new folder that its user alone can enter, under a name that nobody could know before: nobody else can plant a link at
/// the name of a file in it.
package struct PrivateFolder {
    package let path: String

    /// Makes `folder/prefix` with six random characters behind it, mode 0700 (`mkdtemp`). Nil: it cannot be made, `errno`
    /// says why.
    package init?(in folder: String, prefix: String) {
        var name = Array("\(folder)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { return nil }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A new one among the temporary files; nil: none can be made there.
    package init?(
        temporaryFor use: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.init(in: Self.temporaryFiles(environment), prefix: "gameprof-\(use)-")
    }

    /// Calls `clear` for each folder among the temporary files that was made for the same use and that this user alone can
    /// list, and removes it where `clear` returns true and leaves it empty. `clear` gets a path that keeps leading there.
    package static func clearLeftovers(
        of use: String, _ environment: [String: String], _ clear: (_ path: String) -> Bool
    ) {
        let folder = temporaryFiles(environment)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix("gameprof-\(use)-") {
            let path = "\(folder)/\(name)"
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o066 == 0 else {
                continue
            }
            if clear("/proc/self/fd/\(descriptor)") { rmdir(path) }
        }
    }

    /// `$TMPDIR`, else /var/tmp, which unlike /tmp is seldom memory, else /tmp.
    package static func temporaryFiles(_ environment: [String: String]) -> String {
        guard let named = environment["TMPDIR"], !named.isEmpty else {
            return access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp"
        }
        return URL(fileURLWithPath: named).standardizedFileURL.path
    }

    /// What stands in front of the last slash, `.` where there is none. Foundation's function for this crashes on names of
    /// one character.
    package static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Removes it with all that is in it.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
