import Foundation
import Synchronization

/// A program that the tool runs for itself: it reads its standard input to the end and answers on standard output. It
/// leaves no core file, since that would replace the recorded program's.
public enum HelperProcess {
    /// What it left.
    public struct Result: Sendable {
        public var output: Data
        /// Exit code; nil: a signal ended it.
        public var code: Int32?
        /// The signal that ended it.
        public var signal: Int32?
        /// It was ended because it did nothing.
        public var wasIdle = false
    }

    /// Why it cannot be started; `description` is the system's reason.
    public struct NotStarted: Error, CustomStringConvertible {
        public var description: String
    }

    /// Runs `path` to its end. Needs two descriptors, which it gives back.
    /// - Parameters:
    ///   - hidesErrors: what it says on standard error is not for the user.
    ///   - idleSeconds: it is ended when it has neither answered nor used CPU time for so long; nil: never.
    /// - Throws: `NotStarted`.
    public static func run(
        _ path: String, _ arguments: [String], input: [UInt8] = [], hidesErrors: Bool = false, idleSeconds: Int? = nil
    ) throws -> Result {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw failure(errno)
        }
        defer { close(ends[0]) }
        let child: pid_t
        do {
            defer { close(ends[1]) }
            child = try start(path, arguments, standardInputAndOutput: ends[1], hidesErrors: hidesErrors)
        }
        var idleness = Idleness(of: child, most: idleSeconds)
        let output = exchange(input, over: ends[0], &idleness)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return Result(
            output: output, code: signal == 0 ? status >> 8 & 0xff : nil, signal: signal == 0 ? nil : signal,
            wasIdle: idleness.isOver)
    }

    /// Since when a program does nothing.
    private struct Idleness {
        private let process: pid_t
        private let most: Int?
        private var seconds = 0
        private var used = timespec()
        var isOver: Bool { most.map { seconds >= $0 } ?? false }

        init(of process: pid_t, most: Int?) { (self.process, self.most) = (process, most) }

        /// How long to wait for it until the next look, for `poll`.
        var milliseconds: Int32 { most == nil || isOver ? -1 : 1_000 }

        /// It has given no answer for a second. Ends it when that is enough.
        mutating func look() {
            var clock = clockid_t()
            var now = timespec()
            let isKnown = clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &now) == 0
            let isSame = isKnown && now.tv_sec == used.tv_sec && now.tv_nsec == used.tv_nsec
            seconds = isSame ? seconds + 1 : 0
            used = now
            if isOver { kill(process, SIGKILL) }
        }
    }

    private static func start(
        _ path: String, _ arguments: [String], standardInputAndOutput end: Int32, hidesErrors: Bool
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO)
        if hidesErrors { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
        // A thread of a test may block signals; a program begins with none blocked.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        posix_spawnattr_setsigmask(&attributes, &unblocked)
        // A group of its own: Ctrl-C is for the tool to answer.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for argument in argv { free(argument) } }
        var child: pid_t = 0
        let error = withoutCoreFile { posix_spawn(&child, path, &actions, &attributes, &argv, environ) }
        guard error == 0 else { throw failure(error) }
        return child
    }

    /// A limit is inherited, and there is no other way to give one to a child.
    private static func withoutCoreFile<T>(_ body: () -> T) -> T {
        limits.withLock { _ in
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 else { return body() }
            var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
            defer { setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) }
            return body()
        }
    }

    private static let limits = Mutex(())

    /// Sends `input` while it collects what comes: neither side waits for the other. A child that ended is no SIGPIPE.
    private static func exchange(_ input: [UInt8], over socket: Int32, _ idleness: inout Idleness) -> Data {
        var rest = ArraySlice(input)
        var output = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        if rest.isEmpty { shutdown(socket, Int32(SHUT_WR)) }
        while true {
            var state = pollfd(fd: socket, events: Int16(POLLIN | (rest.isEmpty ? 0 : POLLOUT)), revents: 0)
            let ready = poll(&state, 1, idleness.milliseconds)
            if ready < 0, errno != EINTR { return output }
            if ready == 0 { idleness.look() }
            if !rest.isEmpty, Int32(state.revents) & POLLOUT != 0 {
                let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
                let sent = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, flags) }
                rest = sent > 0 ? rest.dropFirst(sent) : errno == EAGAIN || errno == EINTR ? rest : []
                if rest.isEmpty { shutdown(socket, Int32(SHUT_WR)) }
            }
            guard Int32(state.revents) & ~POLLOUT != 0 else { continue }
            let count = read(socket, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            // A child that ended without reading everything resets the connection behind what it had written.
            guard count > 0 else { return output }
            output.append(contentsOf: buffer[..<count])
        }
    }

    private static func failure(_ number: Int32) -> NotStarted {
        NotStarted(description: String(cString: strerror(number)).lowercased())
    }
}
