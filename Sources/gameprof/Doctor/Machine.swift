import Foundation

/// What the machine permits a recorder.
enum Machine {
    /// Whether the kernel counts events for the sampler.
    static var perfEvents: String {
        guard let level = number("/proc/sys/kernel/perf_event_paranoid") else {
            return "not available; time is sampled by timers, at the resolution of the kernel's tick"
        }
        return level <= 2 || geteuid() == 0
            ? "permitted (perf_event_paranoid is \(level))"
            : "refused (perf_event_paranoid is \(level)): time is sampled by timers; sysctl kernel.perf_event_paranoid=2"
    }

    /// Whether address space is there for what zombies need of it.
    static var addressSpace: String {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        guard limit.rlim_cur != rlim_t.max else { return "unlimited" }
        return "limited to \(limit.rlim_cur >> 20) MB: the quarantine for zombies is smaller; ulimit -v unlimited"
    }

    /// Who may trace whom. Nothing here needs it; debuggers do.
    static var ptrace: String {
        switch number("/proc/sys/kernel/yama/ptrace_scope") {
        case nil, 0: "permitted"
        case 1: "permitted for the parents of a process (ptrace_scope is 1)"
        case let scope?: "restricted (ptrace_scope is \(scope)); gameprof does not need it"
        }
    }

    private static func number(_ path: String) -> Int? {
        (try? String(contentsOfFile: path, encoding: .utf8)).flatMap {
            Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
}
