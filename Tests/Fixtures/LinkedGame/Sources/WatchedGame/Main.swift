#if Profiling
import Foundation
import GameProfiler
import Synchronization

final class Enemy {
    var target: Enemy?
}

@_silgen_name("fork") private func systemFork() -> pid_t
@_silgen_name("prctl") private func systemControl(_ option: CInt, _ a: UInt, _ b: UInt, _ c: UInt, _ d: UInt) -> CInt

/// Looks in its own heap for the enemies that it loses.
@main struct WatchedGame {
    private static let (threads, rounds) = (4, 5)

    static func main() throws {
        switch CommandLine.arguments.dropFirst().first {
        case "threads": searchOnThreads()
        case "exit": try exitWhileSearching()
        case "leave":
            print(try findings())
            fflush(nil)
            pthread_exit(nil)
        case "filter":
            filterCalls()
            do { print(try findings()) } catch { print(error) }
        default:
            let before = descriptors()
            print("findings", try findings())
            print("descriptors", before == descriptors() ? "unchanged" : "changed")
            print("search thread", try threadNames().contains("gameprof search") ? "yes" : "no")
        }
    }

    @inline(never)
    private static func loseEnemies() {
        let (one, other) = (Enemy(), Enemy())
        (one.target, other.target) = (other, one)
    }

    private static func findings() throws -> Int {
        let level = try LeakWatch()
        loseEnemies()
        return try level.report().findings.count
    }

    /// Processes are made meanwhile that end at once.
    private static func searchOnThreads() {
        let found = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            for _ in 0..<rounds {
                do {
                    if try findings() > 0 { found.add(1, ordering: .relaxed) }
                } catch {
                    print(error)
                }
                let child = systemFork()
                if child == 0 { _exit(0) }
                var status: CInt = 0
                waitpid(child, &status, 0)
            }
        }
        print("found", found.load(ordering: .relaxed), "of", threads * rounds)
    }

    private static func exitWhileSearching() throws {
        print(try findings())
        let hasBegun = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            hasBegun.signal()
            while true { _ = try? findings() }
        }
        hasBegun.wait()
        exit(7)
    }

    /// Allows all system calls.
    private static func filterCalls() {
        let (noNewPrivileges, setFilter, filterMode): (CInt, CInt, UInt) = (38, 22, 2)
        // struct sock_filter: BPF_RET | BPF_K, SECCOMP_RET_ALLOW
        withUnsafePointer(to: UInt64(0x7fff_0000_0000_0006)) { filter in
            withUnsafePointer(to: (UInt64(1), UInt64(UInt(bitPattern: filter)))) { program in
                _ = systemControl(noNewPrivileges, 1, 0, 0, 0)
                _ = systemControl(setFilter, filterMode, UInt(bitPattern: program), 0, 0)
            }
        }
    }

    private static func descriptors() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.sorted() ?? []
    }

    private static func threadNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").map {
            try String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
                .trimmingCharacters(in: .newlines)
        }
    }
}
#else
@main struct WatchedGame {
    static func main() {}
}
#endif
