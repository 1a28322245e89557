import Foundation

/// A system call in which a thread waits, and what becomes of it when the thread is stopped and goes on.
struct WaitingCall {
    /// The raw value is a sentence's end, after the name of the call.
    enum Effect: String, CaseIterable {
        case ends = "will end with EINTR"
        case beginsAgain = "will begin again, a timeout with its whole time"
        case endsEarly = "may transfer less than was asked for"
    }

    let number: Int
    let arguments: [UInt64]

    private var row: Row? { Self.rows[number] }
    var name: String? { row?.name }

    /// Nil: it goes on as if nothing had been.
    /// - Parameter isFiltered: a filter of system calls may forbid `restart_syscall`, by which the kernel continues a sleep.
    func effect(of thread: pid_t, isFiltered: Bool) -> Effect? {
        guard let row else { return nil }
        switch row.kind {
        case .sleep: return isFiltered && row.isTimed(arguments) ? .beginsAgain : nil
        case .send: return .endsEarly
        case .receive where !isOnSocket(of: thread): return nil
        case .receive, .wait, .timers:
            guard Self.canBeRepeated else { return .ends }
            guard row.isTimed(arguments) else { return nil }
            return row.kind == .timers ? .ends : .beginsAgain
        }
    }

    /// Whether the kernel continues it by `restart_syscall`.
    var isContinued: Bool { row?.kind == .sleep && (name != "futex" || arguments[3] != 0) }

    /// Whether it may be made again when it has ended with EINTR: nothing has happened then.
    func isRepeatable(of thread: pid_t) -> Bool {
        guard let row else { return false }
        return switch row.kind {
        case .sleep: false
        case .wait: true
        // Loops keep their timers by these timeouts: with EINTR they look at the clock, with the whole time again they are late.
        case .timers: !row.isTimed(arguments)
        // Elsewhere EINTR means what a driver says.
        case .receive, .send: isOnSocket(of: thread)
        }
    }

    private func isOnSocket(of thread: pid_t) -> Bool {
        let descriptor = "/proc/\(thread)/fd/\(Int32(truncatingIfNeeded: arguments[0]))"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: descriptor))?.hasPrefix("socket:") ?? false
    }

    // MARK: - The calls that end with EINTR after a stop, as in signal(7), and those that `restart_syscall` continues

    private enum Kind { case sleep, wait, timers, receive, send }

    private struct Row: Sendable {
        var kind: Kind
        var name: String
        /// By its arguments, whether it has a timeout.
        var isTimed: @Sendable ([UInt64]) -> Bool
    }

    #if arch(x86_64)
    /// When it has ended, the registers still hold all arguments.
    static let canBeRepeated = true
    private static let column = 0
    #else
    static let canBeRepeated = false
    private static let column = 1
    #endif

    private static let rows: [Int: Row] = {
        typealias Test = @Sendable ([UInt64]) -> Bool
        let always: Test = { _ in true }
        // The numbers are those of x86-64 and of aarch64; −1: it has none.
        let all: [(String, Kind, [Int], Test)] = [
            ("nanosleep", .sleep, [35, 101], always),
            ("clock_nanosleep", .sleep, [230, 115], { $0[1] & 1 == 0 }),  // TIMER_ABSTIME
            ("poll", .sleep, [7, -1], { Int32(truncatingIfNeeded: $0[2]) > 0 }),
            ("futex", .sleep, [202, 98], { $0[1] & 0x7f == 0 && $0[3] != 0 }),  // FUTEX_WAIT
            ("semop", .wait, [65, 193], { _ in false }),
            ("semtimedop", .wait, [220, 192], { $0[3] != 0 }),
            ("rt_sigtimedwait", .wait, [128, 137], { $0[2] != 0 }),
            ("io_getevents", .wait, [208, 4], { $0[4] != 0 }),
            ("io_pgetevents", .wait, [333, 292], { $0[4] != 0 }),
            ("epoll_wait", .timers, [232, -1], { Int32(truncatingIfNeeded: $0[3]) >= 0 }),
            ("epoll_pwait", .timers, [281, 22], { Int32(truncatingIfNeeded: $0[3]) >= 0 }),
            ("epoll_pwait2", .timers, [441, 441], { $0[3] != 0 }),
            ("io_uring_enter", .timers, [426, 426], { $0[3] & 8 != 0 }),  // IORING_ENTER_EXT_ARG
            ("read", .receive, [0, 63], always), ("readv", .receive, [19, 65], always),
            ("accept", .receive, [43, 202], always), ("accept4", .receive, [288, 242], always),
            ("connect", .receive, [42, 203], always), ("recvfrom", .receive, [45, 207], always),
            ("recvmsg", .receive, [47, 212], always), ("recvmmsg", .receive, [299, 243], always),
            ("write", .send, [1, 64], always), ("writev", .send, [20, 66], always),
            ("sendto", .send, [44, 206], always), ("sendmsg", .send, [46, 211], always),
            ("sendmmsg", .send, [307, 269], always), ("sendfile", .send, [40, 71], always),
        ]
        let pairs = all.map { name, kind, numbers, isTimed in
            (numbers[column], Row(kind: kind, name: name, isTimed: isTimed))
        }
        return Dictionary(pairs.filter { $0.0 >= 0 }, uniquingKeysWith: { $1 })
    }()
}
