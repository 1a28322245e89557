import Dispatch
import Foundation

/// Reads the memory of another process from one end to the other: while one window is looked at, a second processor copies
/// the next one, except in the process itself that is read. Windows use their memory again, so that no page of it is made twice.
final class ReadAhead {
    static let size = 1 << 20
    /// By so much the next window begins before this one ends: what stands across the border is seen there.
    private static let overlap: UInt64 = 16384

    private let process: RemoteMemory
    /// The window that is looked at, and the next one.
    private var (current, next) = (ReadAhead.room(), ReadAhead.room())
    private var expected: (start: UInt64, count: Int) = (0, 0)
    private let queue = DispatchQueue(label: "read ahead")
    private let done = DispatchSemaphore(value: 0)
    private let copied = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    init(of process: RemoteMemory) { self.process = process }

    private static func room() -> UnsafeMutableRawBufferPointer {
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20 | 0x4000, -1, 0)
        let isThere = address != MAP_FAILED
        return UnsafeMutableRawBufferPointer(start: isThere ? address : nil, count: isThere ? size : 0)
    }

    deinit {
        wait()
        for room in [current, next] where room.count > 0 { munmap(room.baseAddress, room.count) }
        copied.deallocate()
    }

    /// The bytes from `start` on, as far as they can be read; pointers to those that were taken before end.
    /// - Parameter end: of the mapping.
    func take(_ start: UInt64, _ count: UInt64, end: UInt64) -> UnsafeRawBufferPointer {
        let isExpected = expected.count > 0 && start >= expected.start && start - expected.start <= Self.overlap
        let found = expected
        wait()
        var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        if isExpected {
            swap(&current, &next)
            let skipped = Int(start - found.start)
            bytes = UnsafeRawBufferPointer(rebasing: current[min(skipped, copied.pointee)..<copied.pointee])
        } else {
            let target = UnsafeMutableRawBufferPointer(rebasing: current.prefix(Int(count)))
            bytes = UnsafeRawBufferPointer(rebasing: current.prefix(process.read(start, into: target)))
        }
        let behind = start + UInt64(bytes.count)
        if bytes.count > 2 * Int(Self.overlap), behind < end { expect(behind - Self.overlap, end) }
        return bytes
    }

    private func expect(_ start: UInt64, _ end: UInt64) {
        guard next.count > 0, !process.isOfThisProcess else { return }
        expected = (start, Int(min(UInt64(next.count), end - start)))
        nonisolated(unsafe) let target = UnsafeMutableRawBufferPointer(rebasing: next.prefix(expected.count))
        nonisolated(unsafe) let (process, copied) = (process, copied)
        let done = done
        queue.async {
            copied.pointee = process.read(start, into: target)
            done.signal()
        }
    }

    private func wait() {
        if expected.count > 0 { done.wait() }
        expected = (0, 0)
    }

    func end() {
        wait()
        for room in [current, next] where room.count > 0 { madvise(room.baseAddress, room.count, MADV_DONTNEED) }
    }
}
