import Foundation

/// What the kernel says of this process.
struct ProcessUsage {
    var cpuNanoseconds: UInt64
    var residentBytes: UInt64

    static func now() -> ProcessUsage? {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0,
            let pages = ProcFile.text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap({ UInt64($0) }
            )
        else { return nil }
        return ProcessUsage(
            cpuNanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec),
            residentBytes: pages * UInt64(sysconf(Int32(_SC_PAGESIZE))))
    }
}

/// A wait of the calling thread.
package enum Pause {
    /// Ends early when `isWanted` says so, which is asked four times a second.
    package static func seconds(_ count: Int, while isWanted: () -> Bool) {
        let end = ContinuousClock.now + .seconds(count)
        while isWanted() {
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { return }
            usleep(UInt32(max(1, min(250_000, rest / .microseconds(1)))))
        }
    }
}

/// Files whose size is known only once they are read.
enum ProcFile {
    private static let longest = 64 << 20

    static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65536)
        while bytes.count < longest {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes.append(contentsOf: piece.prefix(count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
