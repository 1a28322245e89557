import Foundation
import Synchronization

/// A socket at which a thread waits for connections.
final class ListeningSocket: Sendable {
    let address: HTTPListener.Address
    /// To wait for connections.
    let descriptor: CInt
    private let isClosing = Atomic(false)
    /// That opened it: a child made by fork has no threads here, and the socket file is not its own.
    private let process = getpid()
    /// Of the socket file, so that no other file is removed in its place; nil: there is none.
    private let file: SocketFile?
    /// Who may still use the descriptor: the thread, and who closes it. The last gives it back.
    private let users = Atomic(2)
    /// The number of the descriptor is not the socket's any more.
    private let isForeign = Atomic(false)

    private static let waiting: CInt = 128
    private static let stream =
        CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)

    /// One thread will call `accept` until it returns `closed`. `what` is offered there, as the reason of a failure says.
    init(_ address: HTTPListener.Address, offering what: String) throws(HTTPListener.ListenError) {
        switch address {
        case .loopback(let port):
            (descriptor, self.address) = try Self.listen(port: port, offering: what)
            file = nil
        case .unixSocket(let path):
            descriptor = try Self.listen(path: path, offering: what)
            self.address = address
            file = SocketFile(path)
        }
    }

    /// A file by what makes it this one.
    private struct SocketFile: Equatable, Sendable {
        var device: UInt64
        var number: UInt64

        /// Nil: there is no socket at that path.
        init?(_ path: String) {
            var facts = stat()
            guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFSOCK else { return nil }
            (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
        }
    }

    private static func failure(_ what: String, _ descriptor: CInt) -> HTTPListener.ListenError {
        let reason = String(cString: strerror(errno))
        if descriptor >= 0 { Foundation.close(descriptor) }
        return HTTPListener.ListenError(description: "\(what): \(reason).")
    }

    private static func listen(
        port: UInt16, offering what: String
    ) throws(HTTPListener.ListenError) -> (CInt, HTTPListener.Address) {
        let what = "\(what) cannot be offered at 127.0.0.1:\(port)"
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw failure(what, -1) }
        var yes: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place -> CInt in
                guard bind(descriptor, place, size) == 0, Foundation.listen(descriptor, waiting) == 0 else { return -1 }
                return getsockname(descriptor, place, &size)
            }
        }
        guard result == 0 else { throw failure(what, descriptor) }
        return (descriptor, .loopback(port: UInt16(bigEndian: place.sin_port)))
    }

    private static func listen(path: String, offering what: String) throws(HTTPListener.ListenError) -> CInt {
        let what = "\(what) cannot be offered at \(path)"
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, !bytes.contains(0), bytes.count < MemoryLayout.size(ofValue: place.sun_path) else {
            throw HTTPListener.ListenError(description: "\(what): the path is empty or too long.")
        }
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor >= 0 else { throw failure(what, -1) }
        if SocketFile(path) != nil, isAbandoned(place) { unlink(path) }
        // Of the socket file that bind makes: for this user alone from its beginning.
        guard fchmod(descriptor, 0o600) == 0 else { throw failure(what, descriptor) }
        guard with(place, { bind(descriptor, $0, $1) }) == 0, Foundation.listen(descriptor, waiting) == 0 else {
            throw failure(what, descriptor)
        }
        return descriptor
    }

    private static func with(_ place: sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        withUnsafePointer(to: place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    /// Whether it is a socket at which nobody listens.
    private static func isAbandoned(_ place: sockaddr_un) -> Bool {
        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor >= 0 else { return false }
        defer { Foundation.close(descriptor) }
        return with(place, { connect(descriptor, $0, $1) }) != 0 && errno == ECONNREFUSED
    }

    /// What ends one connection and not the socket; the others come from the network on the way.
    private static let passing: Set<CInt> = [
        EINTR, ECONNABORTED, EAGAIN, EPERM, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENOPROTOOPT, ENONET,
        EOPNOTSUPP,
    ]
    private static let shortages: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    /// What came of a look for a connection.
    enum Accepted {
        case connection(CInt)
        case none
        /// Of descriptors or memory.
        case shortage
        /// Said once.
        case closed
    }

    /// The next connection, without a wait.
    func accept() -> Accepted {
        guard !isClosing.load(ordering: .acquiring) else {
            leave()
            return .closed
        }
        let connection = acceptWithFlags(descriptor, nil, nil, CInt(SOCK_CLOEXEC.rawValue))
        if connection >= 0 { return .connection(connection) }
        let reason = errno
        if Self.shortages.contains(reason) { return .shortage }
        if Self.passing.contains(reason) { return .none }
        // A shutdown, or a descriptor that the program closed.
        leave(isGone: reason == EBADF || reason == ENOTSOCK)
        return .closed
    }

    /// `isGone`: the program closed the descriptor, whose number may be another's by now.
    private func leave(isGone: Bool = false) {
        if isGone { isForeign.store(true, ordering: .relaxed) }
        guard users.subtract(1, ordering: .acquiringAndReleasing).newValue == 0, !isForeign.load(ordering: .relaxed)
        else {
            return
        }
        Foundation.close(descriptor)
    }

    /// Ends the wait for connections. In a child made by fork: lets go of the child's copy alone.
    func close() {
        guard !isClosing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        guard getpid() == process else {
            Foundation.close(descriptor)
            return
        }
        if !isForeign.load(ordering: .relaxed) { shutdown(descriptor, CInt(SHUT_RDWR)) }
        if case .unixSocket(let path) = address, let file, SocketFile(path) == file { unlink(path) }
        leave()
    }
}

/// `accept4` of the C library, which its module shows to GNU sources alone.
@_silgen_name("accept4")
private func acceptWithFlags(
    _ descriptor: CInt, _ address: UnsafeMutablePointer<sockaddr>?, _ length: UnsafeMutablePointer<socklen_t>?,
    _ flags: CInt
) -> CInt
