import Foundation

/// All threads of a process, held by `ptrace` from one thread of this process. When this process ends, the kernel lets
/// them go on.
struct StoppedThreads {
    private let pid: pid_t
    /// By thread: the signal that it was about to get.
    private(set) var signals: [pid_t: CInt] = [:]

    /// How long a thread may take to stop: one in an uninterruptible sleep does not.
    private static let patience = 2.0

    /// Stops them, those that are made meanwhile too.
    init(_ pid: pid_t) throws(MemoryImageError) {
        self.pid = pid
        do throws(MemoryImageError) {
            while true {
                var seized: [pid_t] = []
                for thread in Self.threads(of: pid) where signals[thread] == nil {
                    if try seize(thread) { seized.append(thread) }
                }
                guard !seized.isEmpty else { break }
                for thread in seized { try waitForStop(thread) }
            }
        } catch {
            release()
            throw error
        }
        guard !signals.isEmpty else { throw Self.gone(pid) }
    }

    /// Lets the threads go on as if nothing had been.
    func release() {
        for (thread, signal) in signals { Ptrace.detach(thread, signal: signal) }
    }

    static func gone(_ pid: pid_t) -> MemoryImageError {
        MemoryImageError(isInput: true, "There is no process \(pid).")
    }

    static func threads(of pid: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return names.compactMap { pid_t($0) }.sorted()
    }

    /// False: it has ended.
    private func seize(_ thread: pid_t) throws(MemoryImageError) -> Bool {
        switch Ptrace.seize(thread) {
        case 0:
            return Ptrace.interrupt(thread)
        case ESRCH:
            return false
        case let code:
            if Self.hasEnded(thread, of: pid) { return false }
            throw Self.refusal(pid, code)
        }
    }

    private mutating func waitForStop(_ thread: pid_t) throws(MemoryImageError) {
        let wall: CInt = 0x4000_0000  // __WALL
        let deadline = Date().addingTimeInterval(Self.patience)
        while true {
            var status: CInt = 0
            let result = waitpid(thread, &status, WNOHANG | wall)
            if result == thread {
                // Of a thread that ended there is nothing to hold.
                guard status & 0xff == 0x7f else { return }
                // PTRACE_EVENT_STOP is not a signal that the thread waits for.
                signals[thread] = status >> 16 == 0 ? status >> 8 & 0xff : 0
                return
            }
            if result < 0, errno != EINTR { return }
            if Date() > deadline {
                throw MemoryImageError(
                    "Thread \(thread) did not stop: it is in a system call that cannot be interrupted.")
            }
            usleep(50)
        }
    }

    /// The main thread stays as a zombie when it left by `pthread_exit`.
    private static func hasEnded(_ thread: pid_t, of pid: pid_t) -> Bool {
        let state = ProcessFacts.status(of: pid, thread: thread)["State"] ?? ""
        return state.isEmpty || state.hasPrefix("Z") || state.hasPrefix("X")
    }

    static func refusal(_ pid: pid_t, _ code: CInt) -> MemoryImageError {
        let status = ProcessFacts.status(of: pid)
        guard !status.isEmpty else { return gone(pid) }
        if let tracer = status["TracerPid"], tracer != "0" {
            return MemoryImageError("Process \(pid) is already traced, by process \(tracer): end that first.")
        }
        let owner = status["Uid"]?.split(separator: "\t").first.map(String.init)
        if getuid() != 0, let owner, owner != "\(getuid())" {
            return MemoryImageError("Process \(pid) belongs to another user: look at it as that user or as root.")
        }
        let scope = ProcessFacts.text("/proc/sys/kernel/yama/ptrace_scope").flatMap { Int($0) } ?? 0
        if scope > 0 {
            return MemoryImageError(
                scope < 3
                    ? "The kernel lets only root look at process \(pid): use sudo, or write 0 to /proc/sys/kernel/yama/ptrace_scope."
                    : "The kernel lets nobody look at processes (ptrace_scope is 3): take a core file.")
        }
        return MemoryImageError(
            "Process \(pid) cannot be stopped (\(String(cString: strerror(code)))): in a container allow ptrace "
                + "(--cap-add SYS_PTRACE), else use sudo.")
    }
}

/// What /proc says of a process.
enum ProcessFacts {
    /// The kernel hands out such a file in parts, and Foundation takes the first short one for its end.
    static func bytes(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return result }
            result += buffer[..<count]
        }
    }

    static func text(_ path: String) -> String? {
        bytes(path).map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    static func status(of pid: pid_t, thread: pid_t? = nil) -> [String: String] {
        let path = "/proc/\(pid)/" + (thread.map { "task/\($0)/" } ?? "") + "status"
        var result: [String: String] = [:]
        for line in (text(path) ?? "").split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            result[String(line[..<colon])] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return result
    }
}
