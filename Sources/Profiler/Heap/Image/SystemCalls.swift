import Foundation
import GameprofBasics

// What the C library declares with a variable number of arguments, which Swift does not import.

/// `ptrace(2)`: −1 and errno.
@_silgen_name("ptrace")
private func systemPtrace(_ request: CInt, _ thread: pid_t, _ address: UInt, _ data: UInt) -> Int

/// `process_vm_readv(2)`: bytes read, or −1 and errno.
@_silgen_name("process_vm_readv")
private func systemReadMemory(
    _ pid: pid_t, _ local: UnsafePointer<iovec>, _ localCount: UInt, _ remote: UnsafePointer<iovec>,
    _ remoteCount: UInt, _ flags: UInt
) -> Int

/// The requests of `ptrace` that stop a thread, read its registers and let it go on.
package enum Ptrace {
    private static let (seize, interrupt, detach, registers, pokeUser): (CInt, CInt, CInt, CInt, CInt) = (
        0x4206, 0x4207, 17, 0x4204, 6
    )
    /// `NT_PRSTATUS`, `NT_PRFPREG`, `NT_X86_XSTATE`: the upper parts of vectors stand in the last alone.
    private static let sets: [UInt] = [1, 2, 0x202]

    /// 0, or errno.
    static func seize(_ thread: pid_t) -> CInt { systemPtrace(seize, thread, 0, 0) < 0 ? errno : 0 }

    static func interrupt(_ thread: pid_t) -> Bool { systemPtrace(interrupt, thread, 0, 0) == 0 }

    /// What has become of a seized thread.
    enum State {
        case running
        /// With the signal that it is about to get; 0: none.
        case stopped(CInt)
        case ended
    }

    /// Leaves the stop to be waited for (`WNOWAIT`): of one that was waited for, the kernel forgets the signal when the tracer ends.
    static func state(of thread: pid_t) -> State {
        let options = WNOHANG | WEXITED | WSTOPPED | WNOWAIT | 0x4000_0000  // __WALL
        var info = siginfo_t()
        while waitid(P_PID, id_t(thread), &info, options) < 0 {
            guard errno == EINTR else { return .ended }
        }
        switch info.si_code {
        case 0: return .running
        case CInt(CLD_TRAPPED), CInt(CLD_STOPPED):
            // PTRACE_EVENT_STOP is not a signal that the thread waits for.
            let status = info._sifields._sigchld.si_status
            return .stopped(status >> 8 == 0 ? status & 0x7f : 0)
        default: return .ended
        }
    }

    /// - Parameter signal: what the thread stopped for, which it then gets; 0: none.
    static func detach(_ thread: pid_t, signal: CInt) { _ = systemPtrace(detach, thread, 0, UInt(signal)) }

    /// Registers of a stopped thread: the general ones, then those for floating point, which may hold pointers while they are moved.
    static func registers(of thread: pid_t) -> [UInt64] { sets.flatMap { registers($0, of: thread) } }

    package static func generalRegisters(of thread: pid_t) -> [UInt64] { registers(sets[0], of: thread) }

    /// - Parameter number: in the kernel's `struct user`.
    static func setRegister(_ number: Int, of thread: pid_t, to value: Int) {
        _ = systemPtrace(pokeUser, thread, UInt(8 * number), UInt(bitPattern: value))
    }

    private static func registers(_ set: UInt, of thread: pid_t) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: 2048)
        let bytes = words.withUnsafeMutableBytes { buffer -> Int in
            var vector = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
            let result = withUnsafeMutablePointer(to: &vector) {
                systemPtrace(registers, thread, set, UInt(bitPattern: $0))
            }
            return result < 0 ? 0 : vector.iov_len
        }
        return Array(words.prefix(bytes / 8))
    }
}

private let ownThread = __priority_which_t(PRIO_PROCESS.rawValue)
/// Of the thread that was the first to be urgent: one that is made meanwhile begins with the raised one.
private let usualPriority = getpriority(ownThread, 0)

/// Runs what a stopped process waits for in front of all else, where that is permitted.
func urgently<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
    let usual = usualPriority
    setpriority(ownThread, 0, -20)
    defer { setpriority(ownThread, 0, usual) }
    return try body()
}

/// Runs it in a thread of its own, which then ends.
package func onOwnThread<T>(_ body: () throws(MemoryImageError) -> T) throws(MemoryImageError) -> T {
    var result: Result<T, MemoryImageError> = .failure(MemoryImageError("No thread can be made."))
    func run() {
        do throws(MemoryImageError) { result = .success(try body()) } catch { result = .failure(error) }
    }
    withoutActuallyEscaping(run) { run in
        if let thread = startThread(run) { pthread_join(thread, nil) }
    }
    return try result.get()
}

/// Copies memory of another process; returns how many bytes from the beginning on could be read.
package func readMemory(of pid: pid_t, at address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < buffer.count {
        var local = iovec(iov_base: buffer.baseAddress! + done, iov_len: min(buffer.count - done, 1 << 30))
        var remote = iovec(
            iov_base: UnsafeMutableRawPointer(bitPattern: UInt(address) + UInt(done)), iov_len: local.iov_len)
        let count = systemReadMemory(pid, &local, 1, &remote, 1, 0)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        done += count
    }
    return done
}
