import Foundation
import GameprofHeap
import GameprofTrace

/// What the threads of a process have used while they were sampled, and how they are called.
struct ThreadTimes {
    private struct Used {
        var cpuBefore: UInt64
        var systemBefore: UInt64
        var cpu: UInt64
        var system: UInt64
        var name: String
        /// What its samples stand for: of a thread that has ended the kernel says nothing more.
        var sampled: UInt64 = 0
    }

    private let pid: pid_t
    private var threads: [pid_t: Used] = [:]
    /// Nanoseconds of a tick of the kernel's (`USER_HZ`).
    private static let tick = 1_000_000_000 / UInt64(max(sysconf(CInt(_SC_CLK_TCK)), 1))

    /// Looks at those that there are.
    init(of pid: pid_t) {
        self.pid = pid
        look(isFirst: true)
    }

    /// A thread that was not there at the first look began since.
    mutating func look(isFirst: Bool = false) {
        for thread in StoppedThreads.threads(of: pid) {
            guard let cpu = Self.cpu(of: thread, pid) else { continue }
            let system = Self.system(of: thread, pid)
            var used =
                threads[thread]
                ?? Used(
                    cpuBefore: isFirst ? cpu : 0, systemBefore: isFirst ? system : 0, cpu: 0, system: 0, name: "")
            if cpu < used.cpuBefore &+ used.cpu {
                // Another thread has the number of one that has ended: its time is added.
                (used.cpuBefore, used.systemBefore) = (0 &- used.cpu, 0 &- used.system)
            }
            used.cpu = cpu &- used.cpuBefore
            used.system = min(system &- used.systemBefore, used.cpu)
            used.name = ProcessFacts.text("/proc/\(pid)/task/\(thread)/comm") ?? used.name
            threads[thread] = used
        }
    }

    /// A thread that may have ended at the next look, and CPU time that a sample of it stands for.
    mutating func note(_ thread: pid_t, sampled: UInt64 = 0) {
        defer { threads[thread]?.sampled += sampled }
        guard threads[thread] == nil else { return }
        let name = ProcessFacts.text("/proc/\(pid)/task/\(thread)/comm") ?? ""
        let cpu = Self.cpu(of: thread, pid) ?? 0
        threads[thread] = Used(cpuBefore: 0, systemBefore: 0, cpu: cpu, system: 0, name: name)
    }

    /// Nanoseconds that a thread has had a processor; nil: it has ended.
    static func cpu(of thread: pid_t, _ pid: pid_t) -> UInt64? {
        ProcessFacts.text("/proc/\(pid)/task/\(thread)/schedstat")?.split(separator: " ").first.flatMap { UInt64($0) }
    }

    private static func system(of thread: pid_t, _ pid: pid_t) -> UInt64 {
        let words = (ProcessFacts.text("/proc/\(pid)/task/\(thread)/stat") ?? "").split(separator: ")").last?
            .split(separator: " ")
        // state is the third word, stime the fifteenth.
        guard let words, words.count > 12, let ticks = UInt64(words[12]) else { return 0 }
        return ticks * tick
    }

    /// The records, in the order of the threads' numbers.
    var records: [[UInt8]] {
        threads.sorted { $0.key < $1.key }.flatMap { id, used in
            let thread = ThreadID(UInt32(bitPattern: id))
            return [
                RecordBytes.threadName(ThreadNameRecord(thread: thread, name: used.name)),
                RecordBytes.threadTime(
                    ThreadTimeRecord(thread: thread, cpu: max(used.cpu, used.sampled), system: used.system)),
            ]
        }
    }
}
