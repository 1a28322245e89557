import Foundation
import GameprofTrace

/// The recorded program as a child: it inherits everything but the few variables that load the recorder.
enum ChildProcess {
    /// Starts the program and waits for its end. An interrupt from the terminal goes to the program alone; a request
    /// to terminate that reaches the tool is passed on.
    ///
    /// - Parameters:
    ///   - outputToError: what it prints goes to standard error, because a result goes to standard output.
    ///   - timeout: seconds after which the program and all that it started are asked to end; nil: never.
    ///   - whenStarted: called once the program runs, with its process.
    ///   - whenEnded: called when it has ended, while its process is not another's.
    /// - Returns: the process that it was, how it ended, whether that was for the timeout, and what it used.
    static func run(
        _ program: ProgramFile, arguments: [String], environment: ChildEnvironment, outputToError: Bool = false,
        timeout: Double? = nil, whenStarted: (pid_t) -> Void = { _ in }, whenEnded: () -> Void = {}
    ) throws -> (process: pid_t, exit: ProgramExitRecord, hasTimedOut: Bool, used: Used) {
        var child: pid_t = 0
        let start = DispatchTime.now().uptimeNanoseconds
        let argv = CStrings([Array(program.name.utf8)] + GivenWords.bytes(of: arguments))
        let envp = CStrings(environment.variables)
        let signals = SignalForwarding.begin()
        defer { signals.end() }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        signals.inherit(into: &attributes)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if outputToError, fcntl(STDERR_FILENO, F_GETFD) >= 0 {
            posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        }
        let error = posix_spawn(&child, program.path, &actions, &attributes, argv.pointers, envp.pointers)
        guard error == 0 else {
            throw ToolError(.programNotStarted, "\(program.name) cannot be run: \(String(cString: strerror(error))).")
        }
        signals.forward(to: child)
        let kills = MemoryKills()
        let killsBefore = kills.count()
        whenStarted(child)
        let deadline = timeout.map { Deadline(of: child, after: $0) }
        // Not reaped yet: the number is still the program's when the deadline is taken back.
        var information = siginfo_t()
        while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        whenEnded()
        let hasTimedOut = deadline?.cancel() ?? false
        var status: Int32 = 0
        var usage = rusage()
        while wait4(child, &status, 0, &usage) < 0 {
            guard errno == EINTR else {
                throw ToolError(.toolFailed, "The exit status of the program could not be read.")
            }
        }
        let wall = DispatchTime.now().uptimeNanoseconds - start
        let signal = status & 0x7f
        let end: ProgramExitRecord.Status = signal == 0 ? .code(status >> 8 & 0xff) : .signal(signal)
        let killed = end == .signal(SIGKILL) && !hasTimedOut ? kills.count() &- killsBefore : 0
        return (
            child, ProgramExitRecord(status: end, wall: wall, memoryKills: UInt32(clamping: killed)), hasTimedOut,
            Used(usage)
        )
    }

    /// Becomes the program: what it does and how it ends is then seen as without the tool.
    /// - Throws: the program cannot be run.
    static func replace(by program: ProgramFile, arguments: [String], environment: ChildEnvironment) throws -> Never {
        let argv = CStrings([Array(program.name.utf8)] + GivenWords.bytes(of: arguments))
        let envp = CStrings(environment.variables)
        SignalForwarding.restoreFileSizeSignal()
        execve(program.path, argv.pointers, envp.pointers)
        throw ToolError(.programNotStarted, "\(program.name) cannot be run: \(String(cString: strerror(errno))).")
    }

    /// What the program used, with those of its children that it waited for.
    struct Used {
        /// Nanoseconds of CPU time.
        var cpu: UInt64 = 0
        /// The most bytes of resident memory; nil: not known.
        var resident: UInt64?

        init() {}

        /// The kernel counts what the tool had as it started the program.
        fileprivate init(_ usage: rusage) {
            func nanoseconds(_ time: timeval) -> UInt64 {
                UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_usec) * 1_000
            }
            cpu = nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
            var own = rusage()
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own)
            if usage.ru_maxrss > own.ru_maxrss { resident = UInt64(usage.ru_maxrss) * 1_024 }
        }
    }
}

/// Strings as C wants them: ended by a NULL.
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [[UInt8]]) {
        count = strings.count
        pointers = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() {
            pointers[index] = strdup(string.map { CChar(bitPattern: $0) } + [0])
        }
        pointers[count] = nil
    }

    deinit {
        for index in 0..<count { free(pointers[index]) }
        pointers.deallocate()
    }
}
