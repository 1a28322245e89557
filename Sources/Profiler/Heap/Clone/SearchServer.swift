import Foundation
import GameprofBasics

/// Waits at a socket for frozen copies of the recorded processes, and searches the heap of each.
package final class SearchServer: Sendable {
    /// Where the socket is.
    package let path: String
    private let descriptor: CInt
    private let growth = GrowthOfProcesses()
    private let seeksTasks: Bool

    /// What a recorder is told of it: the path, behind the number of filters of system calls (seccomp) that this process is under.
    package var variable: String {
        let status = ProcessFacts.status(of: getpid())
        let filters = status["Seccomp"] == "0" ? 0 : status["Seccomp_filters"].flatMap { Int($0) } ?? 1
        return "\(filters):\(path)"
    }
    /// The socket is a name, which every user can reach; it is no file.
    private let isAbstract: Bool
    private let inode: ino_t?

    private static let leastDescriptors: rlim_t = 64
    /// For names of deeply nested types.
    private static let searchStack = 64 << 20

    /// Makes the socket at `path`, where nothing may be, or an abstract one where that begins with @; nil: it cannot be made, as where the path is longer than 107 bytes, or this
    /// process may have few descriptors.
    /// - Parameters:
    ///   - isOpen: other users may connect themselves, for a program that runs as one.
    ///   - seeksTasks: as of `CloneSearch.run`.
    package init?(path: String, isOpen: Bool, seeksTasks: Bool = false) {
        self.seeksTasks = seeksTasks
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur >= Self.leastDescriptors
        else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { return nil }
        let isAbstract = path.hasPrefix("@")
        self.isAbstract = isAbstract
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: path.utf8)
            if isAbstract { $0[0] = 0 }
        }
        let made = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { return nil }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, size) }
        }
        guard isBound == 0, isAbstract || chmod(path, isOpen ? 0o666 : 0o600) == 0, listen(made, 16) == 0 else {
            close(made)
            return nil
        }
        (self.path, descriptor, inode) = (path, made, Self.inode(of: made))
    }

    /// Answers on threads of its own, which take no signals, until the end.
    package func begin() {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        Thread.detachNewThread { self.serve() }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// Searches no more copies.
    package func end() {
        shutdown(descriptor, CInt(SHUT_RDWR))
        if !isAbstract { unlink(path) }
    }

    private func serve() {
        while let connection = next(isOwn: false) {
            _ = startThread(stackSize: Self.searchStack, isDetached: true) {
                CloneSearch.run(connection, self.growth, seeksTasks: self.seeksTasks)
            }
        }
        close(descriptor)
    }

    /// Searches copies of this process on the calling thread, one after the other, until the end.
    /// - Parameter willAnswer: as of `CloneSearch.run`.
    func serveHere(willAnswer: () -> Void) {
        while let connection = next(isOwn: true) { CloneSearch.run(connection, growth, willAnswer: willAnswer) }
    }

    /// Waits for the next copy; nil: there will be none.
    private func next(isOwn: Bool) -> SearchConnection? {
        while isMine {
            let connected = accept(descriptor, nil, nil)
            if connected < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard connected >= 0 else { return nil }
            _ = fcntl(connected, F_SETFD, FD_CLOEXEC)
            let connection = SearchConnection(connected, isOwn: isOwn)
            if geteuid() == 0 && !isAbstract || connection.user == geteuid() { return connection }
        }
        return nil
    }

    /// A program in which this runs may have closed the descriptor, and given its number to another file.
    private var isMine: Bool { Self.inode(of: descriptor) == inode }

    private static func inode(of descriptor: CInt) -> ino_t? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status.st_ino : nil
    }
}
