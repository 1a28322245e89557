import CRecorderCFI
import Foundation
import GameprofHeap
import GameprofTrace

/// Looks at the waiting threads of a process as the recorder does: what the kernel says under /proc is enough, nothing is stopped.
final class WaitSampler {
    /// Nanoseconds between two looks.
    static let period: UInt64 = 10_000_000

    private let pid: pid_t
    private let walk: StackWalk
    /// Words of the stack that is looked at.
    private var (start, size): (UInt, Int) = (0, 0)
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    private static let (firstBytes, mostFrames) = (16 << 10, 1024)
    /// The last stack of each thread. One that has not run since stands where it stood.
    private var known: [pid_t: (switches: [UInt8], frames: [gp_copied_frame])] = [:]

    /// A mutex names its holder by the number that the thread has in its own container.
    private let sharesNumbers: Bool

    init(of pid: pid_t, walk: StackWalk) {
        (self.pid, self.walk) = (pid, walk)
        func space(_ process: String) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/pid")
        }
        sharesNumbers = space("self") != nil && space("self") == space("\(pid)")
    }

    deinit { room.deallocate() }

    /// A thread that waits.
    struct Waiter {
        var thread: pid_t
        /// Innermost first.
        var frames: [gp_copied_frame]
        var waitsForDisk: Bool
        /// The thread that holds the lock, if it waits for one; 0: that is not known.
        var holder: pid_t
    }

    func look(_ body: (Waiter) -> Void) {
        let threads = StoppedThreads.threads(of: pid)
        if known.count > 2 * threads.count { known = known.filter { threads.contains($0.key) } }
        for thread in threads {
            let used = switches(of: thread)
            guard let sleeping = SleepingThread(thread, of: pid) else { continue }
            if known[thread]?.switches != used || used.isEmpty {
                let frames = frames(of: sleeping)
                // It has run meanwhile: the stack is none of the place where it waits.
                guard switches(of: thread) == used else { continue }
                known[thread] = (used, frames)
            }
            let holder = holder(of: sleeping)
            body(
                Waiter(
                    thread: thread, frames: known[thread]?.frames ?? [],
                    waitsForDisk: ProcessFacts.isUninterruptible(thread, of: pid),
                    holder: holder != thread && threads.contains(holder) ? holder : 0))
        }
    }

    /// As `lock_holder` of wall_sampler.c has it: a mutex of glibc's has its holder two words behind the one that is waited for, one
    /// with priority inheritance in that word.
    private func holder(of sleeping: SleepingThread) -> pid_t {
        guard sharesNumbers, let futex = sleeping.futex else { return 0 }
        var words = [UInt32](repeating: 0, count: futex.inherits ? 1 : 4)
        let count = words.withUnsafeMutableBytes { readMemory(of: pid, at: futex.address, into: $0) }
        guard count == 4 * words.count else { return 0 }
        if futex.inherits { return pid_t(words[0] & 0x3fff_ffff) }
        // A lock of glibc's own, as that of a malloc arena, has no users there.
        return words[3] != 0 ? pid_t(truncatingIfNeeded: words[2]) : 0
    }

    /// What changes whenever a thread has run; empty: the kernel does not say.
    private func switches(of thread: pid_t) -> [UInt8] {
        let used = ProcessFacts.bytes("/proc/\(pid)/task/\(thread)/schedstat") ?? []
        return used.starts(with: Array("0 0 0".utf8)) ? [] : used
    }

    private func frames(of sleeping: SleepingThread) -> [gp_copied_frame] {
        start = UInt(sleeping.stackPointer) & ~7
        size = readMemory(
            of: pid, at: UInt64(start), into: UnsafeMutableRawBufferPointer(rebasing: room[..<Self.firstBytes]))
        var source = gp_waiting_thread(
            context: Unmanaged.passUnretained(self).toOpaque(),
            read_word: { WaitSampler.of($0).read($1, $2) },
            rule_at: { WaitSampler.of($0).walk.rule(at: $1, exact: $2) },
            function_start: { WaitSampler.of($0).walk.functionStart(of: $1) },
            call_before: { WaitSampler.of($0).walk.call(before: $1, of: $2) })
        let counters = [UInt](unsafeUninitializedCapacity: Self.mostFrames) { counters, count in
            count = gp_waiting_stack_walk(
                &source, UInt(sleeping.programCounter), UInt(sleeping.stackPointer), counters.baseAddress,
                counters.count)
        }
        return counters.enumerated().map { gp_copied_frame(pc: $1, fp: 0, sp: 0, exact: $0 == 0) }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> WaitSampler {
        Unmanaged<WaitSampler>.fromOpaque(context!).takeUnretainedValue()
    }

    private func read(_ address: UInt, _ word: UnsafeMutablePointer<UInt>?) -> Bool {
        let offset = address &- start
        guard offset & 7 == 0, offset < UInt(room.count) else { return false }
        if Int(offset) + 8 > size, size >= Self.firstBytes {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[size...].prefix(Int(offset) + 4096 - size))
            size += readMemory(of: pid, at: UInt64(start) + UInt64(size), into: rest)
        }
        guard Int(offset) + 8 <= size else { return false }
        word?.pointee = room.loadUnaligned(fromByteOffset: Int(offset), as: UInt.self)
        return true
    }
}
