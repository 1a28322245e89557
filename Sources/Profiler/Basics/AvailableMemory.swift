import Foundation

/// How much memory this process may still take: the least of what the machine has, what its control groups allow
/// (cgroups 1 and 2) and what its address space may hold (`ulimit -v`).
public struct AvailableMemory: Hashable, Sendable {
    /// What sets the limit.
    public enum Limit: String, Sendable {
        case machine = "the machine"
        case controlGroup = "the control group"
        case addressSpace = "ulimit -v"
    }

    public var bytes: UInt64
    public var limit: Limit

    /// Reads the limits; nil: none is known. `root`: where /proc and the mounts begin.
    public static func now(root: String = "") -> AvailableMemory? {
        let system = SystemFiles(root: root)
        let found = [
            system.machine.map { AvailableMemory(bytes: $0, limit: .machine) },
            system.controlGroup.map { AvailableMemory(bytes: $0, limit: .controlGroup) },
            system.addressSpace.map { AvailableMemory(bytes: $0, limit: .addressSpace) },
        ]
        return found.compactMap { $0 }.min { $0.bytes < $1.bytes }
    }

    /// What limits the memory of a process, as the recorder writes it (`GP_ENVIRONMENT`).
    public static func limits(of pid: Int32, root: String = "") -> [String: String] {
        let system = SystemFiles(root: root, process: "\(pid)")
        let found = [
            "address-space": system.resourceLimit("Max address space"), "data": system.resourceLimit("Max data size"),
            "group": system.groupLimit("memory.max", first: "memory.limit_in_bytes"),
            "group-high": system.groupLimit("memory.high", first: nil),
            "overcommit": system.number("/proc/sys/vm/overcommit_memory"),
        ].compactMapValues { $0 }
        return Dictionary(uniqueKeysWithValues: found.map { ("limit.\($0.key)", "\($0.value)") })
    }
}

private struct SystemFiles {
    let root: String
    var process = "self"

    private func lines(_ path: String) -> [Substring] {
        let data = FileManager.default.contents(atPath: root + path) ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }

    func number(_ path: String) -> UInt64? { lines(path).first.flatMap { UInt64($0) } }

    /// The values of some rows `name value` or `name: value kB`.
    private func sum(_ names: Set<Substring>, of path: String) -> UInt64? {
        let values = lines(path).compactMap { line -> UInt64? in
            let words = line.split { $0 == " " || $0 == ":" }
            guard words.count > 1, names.contains(words[0]) else { return nil }
            return UInt64(words[1])
        }
        return values.isEmpty ? nil : values.reduce(0) { $0 &+ $1 }
    }

    var machine: UInt64? { sum(["MemAvailable", "SwapFree"], of: "/proc/meminfo").map { $0 << 10 } }

    /// Left in the fullest of the groups that this process is in.
    var controlGroup: UInt64? { groups.compactMap { left(in: $0.folder, isSecond: $0.isSecond) }.min() }

    /// The least that the groups have in a file; `first`: its name in version 1.
    func groupLimit(_ name: String, first: String?) -> UInt64? {
        let found = groups.compactMap { group in
            (group.isSecond ? name : first).flatMap { number("\(group.folder)/\($0)") }
        }
        // Version 1 has a very large one where there is none.
        return found.filter { $0 > 0 && $0 < 1 << 60 }.min()
    }

    /// `Max data size             unlimited            unlimited            bytes`
    func resourceLimit(_ name: String) -> UInt64? {
        let line = lines("/proc/\(process)/limits").first { $0.hasPrefix(name) }
        return line?.dropFirst(name.count).split(separator: " ").first.flatMap { UInt64($0) }
    }

    /// Those that the process is in, of both versions, with those around them.
    private var groups: [(folder: String, isSecond: Bool)] {
        lines("/proc/\(process)/cgroup").flatMap { line -> [(folder: String, isSecond: Bool)] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let isSecond = parts[1].isEmpty
            guard isSecond || parts[1].split(separator: ",").contains("memory") else { return [] }
            return folders(of: parts[2], isSecond: isSecond).map { ($0, isSecond) }
        }
    }

    /// Where a group and those around it are mounted. A container may see its own group as the root.
    private func folders(of group: Substring, isSecond: Bool) -> [String] {
        for line in lines("/proc/self/mountinfo") {
            let halves = line.split(separator: " ").split(separator: "-", maxSplits: 1)
            guard halves.count == 2, let before = halves.first, let after = halves.last, before.count > 4,
                let kind = after.first, kind == (isSecond ? "cgroup2" : "cgroup"),
                isSecond || after.last?.split(separator: ",").contains("memory") ?? false
            else { continue }
            let (top, mount) = (before[before.startIndex + 3], before[before.startIndex + 4])
            var path = top == "/" ? group : group.hasPrefix(top) ? group.dropFirst(top.count) : ""
            var result: [String] = []
            while let slash = path.lastIndex(of: "/") {
                result.append("\(mount)\(path)")
                path = path[..<slash]
            }
            return result + [String(mount)]
        }
        return []
    }

    /// What the kernel can drop of cached files counts as free.
    private func left(in folder: String, isSecond: Bool) -> UInt64? {
        let names = isSecond ? ("memory.max", "memory.current") : ("memory.limit_in_bytes", "memory.usage_in_bytes")
        guard let most = number("\(folder)/\(names.0)"), let used = number("\(folder)/\(names.1)") else { return nil }
        let prefix = isSecond ? "" : "total_"
        let cached = sum(["\(prefix)inactive_file", "\(prefix)active_file"], of: "\(folder)/memory.stat") ?? 0
        let taken = used > cached ? used - cached : 0
        return most > taken ? most - taken : 0
    }

    var addressSpace: UInt64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max,
            let pages = lines("/proc/self/statm").first?.split(separator: " ").first.flatMap({ UInt64($0) })
        else { return nil }
        let taken = pages &* UInt64(sysconf(Int32(_SC_PAGESIZE)))
        return UInt64(limit.rlim_cur) > taken ? UInt64(limit.rlim_cur) - taken : 0
    }
}
