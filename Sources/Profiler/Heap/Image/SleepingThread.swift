import Foundation

/// Where a thread that sleeps stands, as the kernel shows it without stopping it.
package struct SleepingThread {
    let call: WaitingCall
    package let stackPointer: UInt64
    package let programCounter: UInt64

    /// Nil: it runs.
    package init?(_ thread: pid_t, of pid: pid_t) {
        // The number, and in hexadecimal six arguments, sp and pc; −1, sp and pc where it waits for memory.
        let words = (ProcessFacts.text("/proc/\(pid)/task/\(thread)/syscall") ?? "").split(separator: " ")
        let places = words.dropFirst().compactMap { UInt64($0.dropFirst(2), radix: 16) }
        guard let number = words.first.flatMap({ Int($0) }), places.count == words.count - 1,
            [2, 8].contains(places.count)
        else { return nil }
        call = WaitingCall(number: number, arguments: Array(places.dropLast(2)))
        (stackPointer, programCounter) = (places[places.count - 2], places[places.count - 1])
    }

    /// The word of a futex for which it waits, and whether the kernel hands the lock on with priority inheritance; nil: it waits for
    /// none.
    package var futex: (address: UInt64, inherits: Bool)? {
        guard call.name == "futex", call.arguments.count > 1 else { return nil }
        return switch call.arguments[1] & 0x7f {
        case 0, 9: (call.arguments[0], false)  // FUTEX_WAIT, FUTEX_WAIT_BITSET
        case 6, 13: (call.arguments[0], true)  // FUTEX_LOCK_PI, FUTEX_LOCK_PI2
        default: nil
        }
    }
}
