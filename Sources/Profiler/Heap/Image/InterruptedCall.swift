import Foundation
import GameprofBasics

/// A system call that ended because its thread was stopped.
enum InterruptedCall {
    #if arch(x86_64)
    /// In `struct user`, as in `ThreadRegisters`.
    private static let (result, codeSegment): (Int, Int) = (10, 17)
    private static let userCode64: UInt64 = 0x33
    /// `linux/errno.h`: how the kernel goes on before the thread is back in the program.
    private static let (restartUnlessHandled, restartByBlock): (Int, Int) = (-514, -516)
    private static let restartSystemCall = 219

    /// Lets the kernel make the call again where the program would notice the stop: instead of EINTR, and instead of
    /// `restart_syscall` where a filter may forbid that. If a handler runs before, the call ends with EINTR, as without the stop.
    static func repair(_ thread: pid_t, of pid: pid_t) {
        let words = Ptrace.generalRegisters(of: thread)
        guard let places = ThreadRegisters(machine: ELFFile.ownMachine), words.count == places.count,
            words[codeSegment] == userCode64
        else { return }
        let call = WaitingCall(
            number: Int(Int64(bitPattern: words[places.systemCall])), arguments: places.arguments.map { words[$0] })
        switch Int(Int64(bitPattern: words[result])) {
        case -Int(EINTR) where call.isRepeatable(of: thread): break
        case restartByBlock where call.number != restartSystemCall && ProcessFacts.hasFilter(thread, of: pid): break
        default: return
        }
        Ptrace.setRegister(result, of: thread, to: restartUnlessHandled)
    }
    #else
    /// Nothing: the first argument has given way to the result.
    static func repair(_ thread: pid_t, of pid: pid_t) {}
    #endif
}
