import Foundation
import GameprofBasics
import GameprofHeap

/// Samples the threads of a process by short stops (`ptrace`): each thread that computes, at each look, for all of its CPU time since
/// its last sample.
final class StopSampler {
    private let pid: pid_t
    private let period: UInt64
    private let registers: ThreadRegisters
    /// CPU time, by thread, up to which samples stand for it.
    private var counted: [pid_t: UInt64] = [:]
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(PerfEvents.stackBytes), alignment: 16)
    private(set) var stops: UInt64 = 0
    /// For how long threads have stood still, in nanoseconds.
    private(set) var stopped: UInt64 = 0

    /// Nanoseconds between two looks: each stops threads.
    static let interval: UInt64 = 10_000_000

    init?(of pid: pid_t, period: UInt64) {
        guard let registers = ThreadRegisters(machine: ELFFile.ownMachine) else { return nil }
        (self.pid, self.period, self.registers) = (pid, period, registers)
        for thread in StoppedThreads.threads(of: pid) { counted[thread] = ThreadTimes.cpu(of: thread, pid) }
    }

    deinit { room.deallocate() }

    /// Calls `body` with the stack of each thread that computes and with the periods that it stands for.
    func look(_ body: (CopiedStack, UInt16) -> Void) {
        let threads = Set(StoppedThreads.threads(of: pid))
        counted = counted.filter { threads.contains($0.key) }
        for thread in threads.sorted() {
            guard let cpu = ThreadTimes.cpu(of: thread, pid) else { continue }
            // Another thread may have the number of one that has ended.
            let before = counted[thread].map { $0 <= cpu ? $0 : 0 } ?? 0
            let periods = UInt16(clamping: (cpu - before) / period)
            // What a thread has used that waits by now is its next sample's.
            guard periods > 0, isComputing(thread), let stack = copy(thread) else { continue }
            counted[thread] = before + UInt64(periods) * period
            body(stack, periods)
        }
    }

    private func isComputing(_ thread: pid_t) -> Bool {
        let text = ProcessFacts.text("/proc/\(pid)/task/\(thread)/stat") ?? ""
        return text.split(separator: ")").last?.split(separator: " ").first == "R"
    }

    /// Nil: it could not be stopped now, or has ended.
    private func copy(_ thread: pid_t) -> CopiedStack? {
        var result: CopiedStack?
        try? StoppedThreads.hold(pid, only: thread) { _ throws(MemoryImageError) in
            let start = DispatchTime.now().uptimeNanoseconds
            let words = Ptrace.generalRegisters(of: thread)
            guard words.count >= registers.count else { return }
            let sp = words[registers.stackPointer]
            let count = readMemory(of: pid, at: sp, into: room)
            result = CopiedStack(
                process: pid, thread: thread, time: start, pc: UInt(words[registers.programCounter]), sp: UInt(sp),
                fp: UInt(words[registers.framePointer]), link: registers.link.map { UInt(words[$0]) } ?? 0,
                words: UnsafeRawBufferPointer(rebasing: room[..<count]), isCut: count == room.count)
            stops += 1
            stopped += DispatchTime.now().uptimeNanoseconds - start
        }
        return result
    }
}
