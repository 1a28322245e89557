import GameprofHeap

/// How many processes the kernel has ended because memory ran out, of this process's memory group, which it shares with what it
/// starts. 0 where the groups do not count.
struct MemoryKills {
    /// The files that count them, each with lines of a name and a number.
    private let files: [String]

    init() {
        let groups = ProcessFacts.text("/proc/self/cgroup") ?? ""
        files = groups.split(separator: "\n").compactMap { line -> String? in
            // Number, controllers, path.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3 else { return nil }
            if parts[1].isEmpty { return "/sys/fs/cgroup" + parts[2] + "/memory.events" }
            let isOfMemory = parts[1].split(separator: ",").contains("memory")
            return isOfMemory ? "/sys/fs/cgroup/memory" + parts[2] + "/memory.oom_control" : nil
        }
    }

    func count() -> UInt64 { files.compactMap(Self.kills).reduce(0, &+) }

    private static func kills(in file: String) -> UInt64? {
        let line = ProcessFacts.text(file)?.split(separator: "\n").first { $0.hasPrefix("oom_kill ") }
        return line?.split(separator: " ").last.flatMap { UInt64($0) }
    }
}
