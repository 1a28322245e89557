import Foundation

extension OutputPlace {
    package static let ownersAlone: mode_t = 0o600
    /// As the user's other new files: what `umask` leaves.
    package static var usual: mode_t {
        let mask = umask(0o077)
        umask(mask)
        return 0o666 & ~mask
    }

    private var privateFolder: PrivateFolder? { PrivateFolder(in: folderPath, prefix: ".gameprof-") }

    /// - Throws: where no file can be made.
    package func check() throws(Refusal) {
        guard isReplaceable else { return }
        guard let probe = privateFolder else { throw Refusal() }
        probe.remove()
    }

    /// Puts the file that `make` writes at another path into this place: it appears whole, or not at all. A new file is its
    /// user's alone, since reports hold arguments and paths; one that is there keeps its mode.
    /// - Parameter mode: of a new one.
    /// - Throws: `Refusal`, and what `make` throws.
    package func replace(mode: mode_t = OutputPlace.ownersAlone, make: (_ partial: String) throws -> Void) throws {
        guard isReplaceable, let name else { throw Refusal("it is not a regular file") }
        guard let place = privateFolder else { throw Refusal() }
        defer { place.remove() }
        // Others who can write the folder can put something else in the place of the private one.
        let around = Self.status(of: folder)
        let isShared = !Self.isTrusted(around.st_uid) || around.st_mode & (S_IWGRP | S_IWOTH) != 0
        let held = isShared ? open(place.path, Self.pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1
        defer { if held >= 0 { close(held) } }
        guard !isShared || held >= 0 && Self.status(of: held).st_uid == geteuid() else {
            throw Refusal("another user changes its folder")
        }
        let partial = (isShared ? Self.path(of: held, place.path) : place.path) + "/partial"
        try make(partial)
        let mode = found.flatMap { isPlanted($0) ? nil : $0.st_mode & 0o777 } ?? mode
        guard chmod(partial, mode) == 0, rename(partial, "\(folderPath)/\(name)") == 0 else { throw Refusal() }
    }

    /// The same with bytes that `body` passes on piece by piece.
    package func stream(
        mode: mode_t = OutputPlace.ownersAlone, _ body: (_ pass: @escaping ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        try replace(mode: mode) { partial in
            let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Refusal() }
            try Self.fill(file, body)
        }
    }

    /// Opens the device or pipe for writing. The caller closes the descriptor.
    /// - Parameter flags: beside those of every such file; they do not change a descriptor that this process has already.
    package func openForWriting(_ flags: Int32 = 0) throws(Refusal) -> Int32 {
        if let descriptor {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw Refusal() }
            return copy
        }
        let file = openat(folder, String(name ?? ""), O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC | flags)
        guard file >= 0 else { throw Refusal() }
        let status = Self.status(of: file)
        guard status.st_dev == found?.st_dev, status.st_ino == found?.st_ino else {
            close(file)
            throw Refusal("another file has taken its place")
        }
        return file
    }

    /// Writes a file, whole or not at all; a device or a pipe is written directly.
    package static func write(_ bytes: [UInt8], to path: String, createsFolder: Bool = false) throws(Refusal) {
        let place = try OutputPlace(path, createsFolder: createsFolder)
        do {
            func body(_ pass: ([UInt8]) throws -> Void) throws { try pass(bytes) }
            if place.isReplaceable { try place.stream(body) } else { try fill(try place.openForWriting(), body) }
        } catch {
            throw error as? Refusal ?? Refusal("\(error)")
        }
    }

    private static func fill(
        _ file: Int32, _ body: (_ pass: @escaping ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        do {
            try body { guard writeAll($0, to: file) else { throw Refusal() } }
        } catch {
            close(file)
            throw error
        }
        guard close(file) == 0 else { throw Refusal() }
    }

    /// False: not everything could be written, `errno` says why.
    package static func writeAll(_ all: [UInt8], to descriptor: Int32) -> Bool {
        var bytes = all[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // Whoever shares the descriptor reads and writes without waiting.
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&room, 1, -1)
                continue
            }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}
