import Foundation
import Testing

@testable import GameprofBasics

@Suite struct AvailableMemoryTests {
    /// What is read below a folder with these files.
    private static func available(_ files: [String: String]) throws -> AvailableMemory? {
        try below(files) { AvailableMemory.now(root: $0) }
    }

    private static func below<T>(_ files: [String: String], _ body: (String) -> T) throws -> T {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return body(root.path)
    }

    private static let machine = "MemTotal: 8000 kB\nMemAvailable: 4000 kB\nSwapFree: 96 kB\n"
    private static let mounts = """
        24 30 0:22 / /proc rw - proc proc rw
        30 23 0:26 / /cg rw,nosuid shared:4 - cgroup2 cgroup2 rw
        31 23 0:27 /docker/1 /cg1 ro - cgroup cgroup rw,memory

        """

    @Test("without a control group the machine's memory counts") func machineAlone() throws {
        let found = try Self.available(["proc/meminfo": Self.machine])
        #expect(found == AvailableMemory(bytes: 4096 << 10, limit: .machine))
        #expect(try Self.available([:]) == nil)
    }

    @Test("the fullest group of version 2 counts, without what is cached of files") func secondVersion() throws {
        let found = try Self.available([
            "proc/meminfo": Self.machine, "proc/self/cgroup": "0::/user/game\n", "proc/self/mountinfo": Self.mounts,
            "cg/user/game/memory.max": "max\n", "cg/user/game/memory.current": "900000\n",
            "cg/user/memory.max": "1000000\n", "cg/user/memory.current": "950000\n",
            "cg/user/memory.stat": "anon 700000\ninactive_file 100000\nactive_file 50000\n",
        ])
        #expect(found == AvailableMemory(bytes: 200_000, limit: .controlGroup))
    }

    @Test("a group of version 1 counts where a container is mounted as the root") func firstVersion() throws {
        let found = try Self.available([
            "proc/meminfo": Self.machine, "proc/self/cgroup": "5:cpu,memory:/docker/1\n0::/\n",
            "proc/self/mountinfo": Self.mounts, "cg1/memory.limit_in_bytes": "1000\n",
            "cg1/memory.usage_in_bytes": "2000\n",
        ])
        #expect(found == AvailableMemory(bytes: 0, limit: .controlGroup))
    }

    @Test("the limits of another process are those of its ulimits and the least of its groups") func limits() throws {
        var files = [
            "proc/7/limits": """
            Limit                     Soft Limit           Hard Limit           Units
            Max data size             unlimited            unlimited            bytes
            Max address space         4096000              unlimited            bytes
            """, "proc/7/cgroup": "0::/user/game\n", "proc/self/mountinfo": Self.mounts,
            "cg/user/game/memory.max": "max\n", "cg/user/game/memory.high": "800000\n",
            "cg/user/memory.max": "1000000\n", "cg/memory.max": "2000000\n", "proc/sys/vm/overcommit_memory": "0\n",
        ]
        let found = try Self.below(files) { AvailableMemory.limits(of: 7, root: $0) }
        #expect(
            found == [
                "limit.address-space": "4096000", "limit.group": "1000000", "limit.group-high": "800000",
                "limit.overcommit": "0",
            ])
        files["proc/7/cgroup"] = "5:cpu,memory:/docker/1\n"
        files["cg1/memory.limit_in_bytes"] = "9223372036854771712\n"
        #expect(try Self.below(files) { AvailableMemory.limits(of: 7, root: $0) }.keys.sorted().count == 2)
        #expect(try Self.below([:]) { AvailableMemory.limits(of: 7, root: $0) }.isEmpty)
    }

    @Test("files that make no sense limit nothing") func nonsense() throws {
        let found = try Self.available([
            "proc/meminfo": "MemAvailable\n", "proc/self/cgroup": "x\n0::\n0::/a\n", "proc/self/mountinfo": "a b - \n",
            "cg/a/memory.max": "-1\n",
        ])
        #expect(found == nil)
    }
}
