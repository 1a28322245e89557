import Foundation

/// All threads of a process, held by `ptrace` from one thread of this process. When that thread ends, the kernel lets them go on.
package struct StoppedThreads {
    private let pid: pid_t
    private var held: Set<pid_t> = []
    /// Those of them that did not stop at once.
    private var asleep: Set<pid_t> = []
    private let start = Date()

    /// How long a thread may take to stop.
    private static let patience = 2.0
    /// One in an uninterruptible sleep, as in `vfork`, may take for ever, and stops before it is back in the program.
    private static let briefPatience = 0.005
    private static let looksWithoutSleep = 20

    /// Stops them, those that are made meanwhile too, and lets them go on after `body` as if nothing had been.
    /// - Parameter only: this one alone.
    package static func hold<T>(
        _ pid: pid_t, only: pid_t? = nil, _ body: (StoppedThreads) throws(MemoryImageError) -> T
    ) throws(MemoryImageError) -> T {
        // A thread that has not stopped cannot be let go: the end of its tracer does that.
        try onOwnThread { () throws(MemoryImageError) -> T in
            try urgently { () throws(MemoryImageError) -> T in
                let ended = EndedThreads(of: pid)
                let threads = try StoppedThreads(pid, only: only)
                ended.cancel()
                let result = try body(threads)
                threads.release()
                return result
            }
        }
    }

    private init(_ pid: pid_t, only: pid_t?) throws(MemoryImageError) {
        self.pid = pid
        while true {
            var seized: [pid_t] = []
            for thread in only.map({ [$0] }) ?? Self.threads(of: pid) where !held.contains(thread) {
                if let danger = Self.danger(thread, of: pid) { throw danger }
                if try seize(thread) { seized.append(thread) }
            }
            guard !seized.isEmpty else { break }
            try waitForStop(seized)
        }
        guard !held.isEmpty else { throw Self.gone(pid) }
    }

    private func release() {
        for thread in held {
            guard case .stopped(let signal) = Ptrace.state(of: thread) else { continue }
            if asleep.contains(thread) { InterruptedCall.repair(thread, of: pid) }
            Ptrace.detach(thread, signal: signal)
        }
    }

    /// Where each thread stands, and which ones have not stopped: of these only the registers that a system call takes are known.
    func read(_ registers: ThreadRegisters) throws(MemoryImageError) -> (all: [MemoryImage.Thread], asleep: [pid_t]) {
        var (all, asleep): ([MemoryImage.Thread], [pid_t]) = ([], [])
        let deadline = Date().addingTimeInterval(Self.patience)
        for thread in held.sorted() {
            while true {
                let words = Ptrace.registers(of: thread)
                if !words.isEmpty {
                    if let stopped = registers.thread(UInt32(thread), words) { all.append(stopped) }
                    break
                }
                if case .ended = Ptrace.state(of: thread) { break }
                if let sleeping = SleepingThread(thread, of: pid) {
                    all.append(registers.thread(UInt32(thread), sleeping))
                    asleep.append(thread)
                    break
                }
                if Date() > deadline { throw Self.unstoppable(thread) }
                usleep(50)
            }
        }
        return (all, asleep)
    }

    package static func gone(_ pid: pid_t) -> MemoryImageError {
        MemoryImageError(isInput: true, "There is no process \(pid).")
    }

    package static func threads(of pid: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return names.compactMap { pid_t($0) }.filter { !ProcessFacts.isOfUring($0, of: pid) }.sorted()
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

    private mutating func waitForStop(_ seized: [pid_t]) throws(MemoryImageError) {
        let deadline = Date().addingTimeInterval(Self.patience)
        var running = seized
        var looks = 0
        while true {
            running = running.filter { thread in
                switch Ptrace.state(of: thread) {
                case .ended: return false
                case .running: return true
                case .stopped:
                    // At once: if this process were killed before, the other would see the stop.
                    InterruptedCall.repair(thread, of: pid)
                    held.insert(thread)
                    return false
                }
            }
            if -start.timeIntervalSinceNow > Self.briefPatience {
                asleep.formUnion(running.filter { ProcessFacts.isUninterruptible($0, of: pid) })
                held.formUnion(asleep)
                running.removeAll(where: asleep.contains)
            }
            guard let thread = running.first else { return }
            if Date() > deadline { throw Self.unstoppable(thread) }
            // One that computes stops within some microseconds; to sleep takes more than a hundred.
            looks += 1
            if looks < Self.looksWithoutSleep { sched_yield() } else { usleep(50) }
        }
    }

    /// Why a thread under a filter of system calls must not be stopped; nil: it may be.
    package static func danger(_ thread: pid_t, of pid: pid_t) -> MemoryImageError? {
        guard !WaitingCall.canBeRepeated, ProcessFacts.hasFilter(thread, of: pid),
            SleepingThread(thread, of: pid)?.call.isContinued ?? false
        else { return nil }
        return MemoryImageError(
            "Thread \(thread) sleeps under a filter of system calls (seccomp), which may forbid restart_syscall, by which the kernel "
                + "continues the sleep of a thread that was stopped.")
    }

    private static func unstoppable(_ thread: pid_t) -> MemoryImageError {
        MemoryImageError("Thread \(thread) did not stop: it is in a system call that cannot be interrupted.")
    }

    /// The main thread stays as a zombie when it left by `pthread_exit`.
    private static func hasEnded(_ thread: pid_t, of pid: pid_t) -> Bool {
        let state = ProcessFacts.status(of: pid, thread: thread)["State"] ?? ""
        return state.isEmpty || state.hasPrefix("Z") || state.hasPrefix("X")
    }

    package static func refusal(_ pid: pid_t, _ code: CInt) -> MemoryImageError {
        let status = ProcessFacts.status(of: pid)
        guard !status.isEmpty else { return gone(pid) }
        if let tracer = status["TracerPid"], tracer != "0" {
            return MemoryImageError("Process \(pid) is already traced by process \(tracer); end that process first.")
        }
        let owner = status["Uid"]?.split(separator: "\t").first.map(String.init)
        if getuid() != 0, let owner, owner != "\(getuid())" {
            return MemoryImageError("Process \(pid) belongs to another user; run gameprof as that user or as root.")
        }
        let scope = ProcessFacts.text("/proc/sys/kernel/yama/ptrace_scope").flatMap { Int($0) } ?? 0
        if scope > 0 {
            return MemoryImageError(
                scope < 3
                    ? "The kernel lets only root read process \(pid); use sudo, or write 0 to "
                        + "/proc/sys/kernel/yama/ptrace_scope."
                    : "The kernel does not let anyone read processes (ptrace_scope is 3); use a core file.")
        }
        return MemoryImageError(
            "Process \(pid) cannot be stopped (\(String(cString: strerror(code)))): in a container allow ptrace "
                + "(--cap-add SYS_PTRACE), else use sudo.")
    }
}

/// What /proc says of a process.
package enum ProcessFacts {
    /// The kernel hands out such a file in parts, and Foundation takes the first short one for its end.
    package static func bytes(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // A part of such a file says that the rest is not there.
            guard count > 0 else { return count == 0 ? result : nil }
            result += buffer[..<count]
        }
    }

    package static func text(_ path: String) -> String? {
        bytes(path).map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    /// Whether a process has threads that run the program's code. Whoever started one that has ended may not have taken notice yet,
    /// and the main thread may have left the others by pthread_exit: both look like a zombie.
    package static func isRunning(_ pid: pid_t) -> Bool {
        let state = status(of: pid)["State"] ?? ""
        let isZombie = state.hasPrefix("Z") && StoppedThreads.threads(of: pid).count <= 1
        return !state.isEmpty && !isZombie && !state.hasPrefix("X")
    }

    /// What the kernel makes anew for each program that a process becomes; empty: it may not be read.
    package static func programMark(of pid: pid_t) -> [UInt8] { bytes("/proc/\(pid)/auxv") ?? [] }

    /// Bytes that a process has in the machine's memory; nil: there is no such process.
    package static func residentBytes(of pid: pid_t) -> UInt64? {
        let words = (text("/proc/\(pid)/statm") ?? "").split(separator: " ")
        guard words.count > 1, let pages = UInt64(words[1]) else { return nil }
        return pages &* UInt64(max(sysconf(CInt(_SC_PAGESIZE)), 0))
    }

    /// Why a process may not be traced, nor its memory be read, as errno; nil: it may.
    package static func memoryRefusal(of pid: pid_t) -> CInt? {
        let descriptor = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        return nil
    }

    /// Whether a thread has a filter of system calls (seccomp).
    package static func hasFilter(_ thread: pid_t, of pid: pid_t) -> Bool { states("Seccomp:\t2", thread, of: pid) }

    package static func isUninterruptible(_ thread: pid_t, of pid: pid_t) -> Bool {
        states("State:\tD", thread, of: pid)
    }

    /// Whether the kernel does the work of an io_uring in the thread (PF_IO_WORKER): it runs none of the program's code.
    package static func isOfUring(_ thread: pid_t, of pid: pid_t) -> Bool {
        guard let text = bytes("/proc/\(pid)/task/\(thread)/stat"), let name = text.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        // state, parent, group, session, terminal and its group, flags
        let words = text[(name + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 7)
        let flags = words.count > 6 ? UInt64(String(decoding: words[6], as: UTF8.self)) ?? 0 : 0
        return flags & 0x10 != 0
    }

    /// Whether a line of a thread's status begins so. Less than `status` takes, for what is asked while a process stands still.
    private static func states(_ beginning: String, _ thread: pid_t, of pid: pid_t) -> Bool {
        guard let text = bytes("/proc/\(pid)/task/\(thread)/status") else { return false }
        return (text + [0]).withUnsafeBufferPointer { text in
            text.withMemoryRebound(to: CChar.self) { strstr($0.baseAddress!, "\n" + beginning) != nil }
        }
    }

    package static func status(of pid: pid_t, thread: pid_t? = nil) -> [String: String] {
        let path = "/proc/\(pid)/" + (thread.map { "task/\($0)/" } ?? "") + "status"
        var result: [String: String] = [:]
        for line in (text(path) ?? "").split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            result[String(line[..<colon])] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        return result
    }
}
