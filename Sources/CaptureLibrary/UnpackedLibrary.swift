import Foundation

/// The library that the tool carries, unpacked to a folder that the user alone can write to: of use where
/// `swift package experimental-install` copied the tool and nothing else.
public enum UnpackedLibrary {
    /// In `$XDG_CACHE_HOME`, else `$HOME/.cache`, else a folder of the user's in /var/tmp. Nil: none of them serves.
    public static func url(environment: [String: String]) -> URL? {
        guard let bytes = Data(base64Encoded: EmbeddedLibrary.base64.description) else { return nil }
        let caches = [environment["XDG_CACHE_HOME"], environment["HOME"].map { $0 + "/.cache" }]
            .compactMap { $0 }.filter { $0.hasPrefix("/") }.map { $0 + "/gameprof" }
        for folder in caches + ["/var/tmp/gameprof-\(geteuid())"] {
            if let library = unpacked(bytes, in: folder) { return library }
        }
        return nil
    }

    /// Each version of the library has a folder, named by its bytes. A file that holds other bytes is replaced.
    private static func unpacked(_ bytes: Data, in folder: String) -> URL? {
        let place = URL(fileURLWithPath: folder).appending(path: hash(bytes))
        let library = place.appending(path: CaptureLibrary.name)
        _ = try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard isOwn(folder, S_IFDIR), mayRunFiles(folder) else { return nil }
        mkdir(place.path, 0o700)
        guard isOwn(place.path, S_IFDIR) else { return nil }
        if isOwn(library.path, S_IFREG), (try? Data(contentsOf: library)) == bytes { return library }
        let part = library.path + ".\(getpid())"
        unlink(part)
        let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o500)
        guard file >= 0 else { return nil }
        let isWritten = (try? FileHandle(fileDescriptor: file, closeOnDealloc: true).write(contentsOf: bytes)) != nil
        guard isWritten, rename(part, library.path) == 0 else {
            unlink(part)
            return nil
        }
        return library
    }

    /// What others could have written is not loaded into a program.
    private static func isOwn(_ path: String, _ kind: mode_t) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == kind && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }

    private static func mayRunFiles(_ path: String) -> Bool {
        let noExecution: UInt = 8  // ST_NOEXEC, an enumerator without a name in Swift
        var system = statvfs()
        return statvfs(path, &system) == 0 && system.f_flag & noExecution == 0
    }

    private static func hash(_ bytes: Data) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
