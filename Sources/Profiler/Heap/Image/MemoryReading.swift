import Dispatch
import Foundation

/// Reads memory of another process on threads of its own, so that the one that holds the process waits for it no longer than it
/// wants to.
final class MemoryReading: @unchecked Sendable {
    struct Part {
        var start: UInt64
        var target: UnsafeMutableRawBufferPointer
        /// Of the target, into which a thread may still read when nobody waits for it any more.
        var owner: AnyObject
    }

    private let pid: pid_t
    private let parts: [Part]
    private let lock = NSLock()
    private var next = 0
    private var isOver = false
    /// By part; nil: it was not read to its end.
    private var failed: [[Range<UInt64>]?]

    init(of pid: pid_t, _ parts: [Part]) {
        (self.pid, self.parts) = (pid, parts)
        failed = Array(repeating: nil, count: parts.count)
    }

    /// By part: the pages of it that could not be read; nil: it was not read to its end. What comes later does not count.
    func run(until deadline: DispatchTime) -> [[Range<UInt64>]?] {
        let group = DispatchGroup()
        let queue = DispatchQueue(label: "copy of a process", attributes: .concurrent)
        for _ in 0..<min(parts.count, ProcessInfo.processInfo.activeProcessorCount) {
            queue.async(group: group) { urgently { self.readParts() } }
        }
        _ = group.wait(timeout: deadline)
        return lock.withLock {
            isOver = true
            return failed
        }
    }

    private func readParts() {
        while let number = lock.withLock({ takeNext() }) {
            let missing = read(parts[number])
            lock.withLock { if !isOver { failed[number] = missing } }
        }
    }

    private func takeNext() -> Int? {
        guard !isOver, next < parts.count else { return nil }
        next += 1
        return next - 1
    }

    private func read(_ part: Part) -> [Range<UInt64>] {
        var failed: [Range<UInt64>] = []
        let end = part.start + UInt64(part.target.count)
        var at = part.start
        while at < end {
            let target = UnsafeMutableRawBufferPointer(rebasing: part.target[Int(at - part.start)...])
            at += UInt64(readMemory(of: pid, at: at, into: target))
            guard at < end else { break }
            // Behind a page that cannot be read others may follow, in a process that still is there.
            let next = errno == EFAULT ? min(end, (at / PageTable.page + 1) * PageTable.page) : end
            failed.append(at..<next)
            at = next
        }
        return failed
    }
}
