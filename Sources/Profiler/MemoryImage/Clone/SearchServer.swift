import Foundation

/// Waits at a socket for frozen copies of the recorded processes, and searches the heap of each.
package final class SearchServer: Sendable {
    /// Where the socket is.
    package let path: String
    private let descriptor: CInt

    private static let leastDescriptors: rlim_t = 64

    /// Makes the socket at `path`, where nothing may be; nil: it cannot be made, as where the path is longer than 107 bytes, or this
    /// process may have few descriptors.
    /// - Parameter isOpen: other users may connect themselves, for a program that runs as one.
    package init?(path: String, isOpen: Bool) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur >= Self.leastDescriptors
        else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let made = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { return nil }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, size) }
        }
        guard isBound == 0, chmod(path, isOpen ? 0o666 : 0o600) == 0, listen(made, 16) == 0 else {
            close(made)
            return nil
        }
        (self.path, descriptor) = (path, made)
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
        unlink(path)
    }

    private func serve() {
        while true {
            let connected = accept(descriptor, nil, nil)
            if connected < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard connected >= 0 else { break }
            _ = fcntl(connected, F_SETFD, FD_CLOEXEC)
            let connection = SearchConnection(connected)
            guard geteuid() == 0 || connection.user == geteuid() else { continue }
            let thread = Thread { CloneSearch.run(connection) }
            // Names of deeply nested types.
            thread.stackSize = 64 << 20
            thread.start()
        }
        close(descriptor)
    }
}
