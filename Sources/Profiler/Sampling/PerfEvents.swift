import CGameprofPerf
import Foundation
import GameprofHeap

/// Perf events on all threads of a process, and on those that they make: one for each thread and processor, since events that are
/// inherited must write into rings of processors.
final class PerfEvents {
    private var events: [CInt] = []
    private(set) var rings: [PerfRing] = []
    /// By thread, the numbers of the events that were opened for it. A thread that began meanwhile may have inherited others too.
    private var numbers: [pid_t: Set<UInt64>] = [:]

    /// Bytes of a stack that are copied with each sample.
    static let stackBytes: UInt32 = 16 << 10
    /// Beyond so many, every switch between threads would cost the process too much.
    private static let mostEvents = 20_000
    private static let ringBytes = (most: 4 << 20, least: 128 << 10)

    /// A negative errno, as a value.
    struct Refusal: Error { var code: CInt }

    /// - Throws: where the kernel permits no event, or has no room for all.
    init(of pid: pid_t, period: UInt64) throws(Refusal) {
        Self.raiseDescriptorLimit()
        let processors = Self.processors
        var owners: [Int: CInt] = [:]
        while true {
            let threads = StoppedThreads.threads(of: pid).filter { numbers[$0] == nil }
            guard !threads.isEmpty else { break }
            for thread in threads {
                numbers[thread] = []
                for processor in processors {
                    let event = gp_perf_open(
                        thread, CInt(processor), period, Self.stackBytes)
                    if event == -ESRCH { break }
                    guard event >= 0 else { throw close(Refusal(code: -event)) }
                    events.append(event)
                    guard events.count <= Self.mostEvents else { throw close(Refusal(code: EMFILE)) }
                    numbers[thread]?.insert(gp_perf_number(event))
                    if let owner = owners[processor] {
                        let result = gp_perf_redirect(event, owner)
                        guard result == 0 else { throw close(Refusal(code: -result)) }
                    } else {
                        guard let ring = Self.ring(of: event) else { throw close(Refusal(code: ENOMEM)) }
                        rings.append(ring)
                        owners[processor] = event
                    }
                }
            }
        }
        guard !events.isEmpty else { throw Refusal(code: ESRCH) }
        forgetEnded(of: pid)
        for event in events {
            let result = gp_perf_enable(event)
            guard result == 0 else { throw close(Refusal(code: -result)) }
        }
    }

    /// Why the kernel permits no event on a process, as errno; nil: it does.
    static func refusal(of pid: pid_t) -> CInt? {
        let event = gp_perf_open(pid, CInt(processors.first ?? 0), 1_000_000, stackBytes)
        guard event >= 0 else { return -event }
        _ = Foundation.close(event)
        return nil
    }

    deinit { for event in events { _ = Foundation.close(event) } }

    private func close(_ refusal: Refusal) -> Refusal {
        for event in events { _ = Foundation.close(event) }
        events = []
        return refusal
    }

    /// Whether a sample counts: of a thread with events of its own, those that it inherited besides do not.
    func counts(_ event: UInt64, of thread: pid_t) -> Bool { numbers[thread].map { $0.contains(event) } ?? true }

    /// The number of a thread that has ended may be another's later, which has inherited events.
    func forgetEnded(of pid: pid_t) {
        let threads = Set(StoppedThreads.threads(of: pid))
        numbers = numbers.filter { threads.contains($0.key) && !$0.value.isEmpty }
    }

    private static func ring(of event: CInt) -> PerfRing? {
        var size = ringBytes.most
        while size >= ringBytes.least {
            if let ring = PerfRing(of: event, size: size) { return ring }
            size /= 2
        }
        return nil
    }

    /// `0-3,8`
    private static var processors: [Int] {
        let text = ProcessFacts.text("/sys/devices/system/cpu/online") ?? ""
        let numbers = text.split(separator: ",").flatMap { part -> [Int] in
            let ends = part.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first <= last, last < 1 << 16 else { return [] }
            return Array(first...last)
        }
        return numbers.isEmpty ? Array(0..<sysconf(CInt(_SC_NPROCESSORS_ONLN))) : numbers
    }

    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return }  // RLIMIT_NOFILE
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(7), &limit)
    }
}
