import CGameprofPerf
import Foundation

/// The memory in which the kernel writes the records of the events of one processor.
final class PerfRing {
    private let base: UnsafeMutableRawPointer
    private let size: Int
    private var tail: UInt64 = 0
    /// A record that goes over the end of the ring.
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)

    private static let page = Int(sysconf(CInt(_SC_PAGESIZE)))

    /// Nil: the kernel gives no memory (`perf_event_mlock_kb`).
    /// - Parameter size: a power of two of pages.
    init?(of event: CInt, size: Int) {
        self.size = size
        let memory = mmap(nil, size + Self.page, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0)
        guard let memory, memory != MAP_FAILED else {
            room.deallocate()
            return nil
        }
        base = memory
    }

    deinit {
        munmap(base, size + Self.page)
        room.deallocate()
    }

    /// Reads all records that are there. False: the ring is damaged.
    func drain(_ body: (PerfRecord) -> Void) -> Bool {
        let data = UnsafeRawBufferPointer(start: base + Self.page, count: size)
        let head = gp_perf_head(base)
        while tail < head {
            let bytes = Self.record(at: tail, until: head, of: data, room: room)
            guard let bytes, let record = PerfRecord.read(bytes) else {
                tail = head
                gp_perf_set_tail(base, tail)
                return false
            }
            body(record)
            tail += UInt64(bytes.count)
            gp_perf_set_tail(base, tail)
        }
        return true
    }

    /// The record at a place of the ring, in one piece; nil: what stands there is none.
    static func record(
        at tail: UInt64, until head: UInt64, of data: UnsafeRawBufferPointer, room: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        // Records are multiples of 8 bytes: a header lies in one piece.
        let offset = Int(tail % UInt64(data.count))
        let first = UnsafeRawBufferPointer(rebasing: data[offset...])
        guard let size = PerfRecord.header(first)?.size, UInt64(size) <= head - tail, size <= data.count else {
            return nil
        }
        if size <= first.count { return UnsafeRawBufferPointer(rebasing: first[..<size]) }
        room.copyMemory(from: first)
        UnsafeMutableRawBufferPointer(rebasing: room[first.count...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: data[..<(size - first.count)]))
        return UnsafeRawBufferPointer(rebasing: room[..<size])
    }
}
